// A selected text as a spot: the lowest element that holds all of it, and the part if it is not all of that.

import type { Spot } from "../src/api/types";
import { numbered, numberOf, spotOfText } from "./spots";

function words(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** What is selected, if it is more than a caret. */
export function selectedSpot(): Spot | null {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return null;
  const part = words(selection.toString());
  if (part === "") return null;
  const range = selection.getRangeAt(0);
  const holder = lowest(range);
  if (holder.nodeType === Node.TEXT_NODE) {
    const spot = spotOfText(holder as Text);
    if (!spot) return null;
    return words(holder.textContent ?? "") === part ? spot : { ...spot, part };
  }
  const element = numbered(holder as Element);
  if (!element) return null;
  const spot = { node: numberOf(element) };
  return words(element.textContent ?? "") === part ? spot : { ...spot, part };
}

/** A selection made by a double click often ends at offset 0 of the next element: that element has no part in it. */
function lowest(range: Range): Node {
  const trimmed = range.cloneRange();
  const { endContainer, endOffset, startContainer } = trimmed;
  if (endOffset === 0 && endContainer !== startContainer && startContainer.nodeType === Node.TEXT_NODE) {
    const text = startContainer as Text;
    if (words(trimmed.toString()) === words(text.data.slice(trimmed.startOffset))) return text;
  }
  return trimmed.commonAncestorContainer;
}
