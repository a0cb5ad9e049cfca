// The tree of elements, walked by arrow keys: up to what is around, down into what is inside, left and right along.
//
// Elements that nobody sees are passed over, and so are wrappers that are exactly as big as their only child: a person
// who presses a key expects the box to move.

import { elementOf, numbered, numberOf } from "./spots";

const SKIPPED = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "META", "LINK", "TITLE", "BR", "WBR"]);

function isSeen(element: Element): boolean {
  if (SKIPPED.has(element.tagName) || !element.hasAttribute("data-w")) return false;
  const box = element.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) return true;
  return [...element.children].some(isSeen);
}

function seenChildren(element: Element): Element[] {
  return [...element.children].filter(isSeen);
}

/** The element that an arrow key leads to. */
export function step(from: number | null, key: string): number | null {
  const element = from === null ? null : elementOf(from);
  if (!element) {
    const first = firstInView();
    return first ? numberOf(first) : null;
  }
  const to = target(element, key);
  return to ? numberOf(to) : numberOf(element);
}

function target(element: Element, key: string): Element | null {
  switch (key) {
    case "ArrowUp":
      return numbered(element.parentElement);
    case "ArrowDown":
      return seenChildren(element)[0] ?? null;
    case "ArrowLeft":
    case "ArrowRight": {
      const along = element.parentElement ? seenChildren(element.parentElement) : [];
      const at = along.indexOf(element);
      const next = along[key === "ArrowRight" ? at + 1 : at - 1];
      if (next) return next;
      // At the end of a row, go on with the next row rather than stand still.
      const around = element.parentElement;
      return around && around !== document.documentElement && key === "ArrowRight" ? cousin(around) : null;
    }
    default:
      return null;
  }
}

/** The first element inside what follows `around`. */
function cousin(around: Element): Element | null {
  for (let at: Element | null = around; at && at !== document.body; at = at.parentElement) {
    let next = at.nextElementSibling;
    while (next && !isSeen(next)) next = next.nextElementSibling;
    if (next) return seenChildren(next)[0] ?? next;
  }
  return null;
}

function firstInView(): Element | null {
  for (let y = 8; y < innerHeight; y += 24) {
    const hit = numbered(document.elementFromPoint(innerWidth / 2, y));
    if (hit && hit !== document.documentElement && hit !== document.body) return hit;
  }
  return document.body?.hasAttribute("data-w") ? document.body : null;
}
