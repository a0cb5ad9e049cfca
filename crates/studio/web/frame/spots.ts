// Places: from a point or an element to the spot that the server understands, and back.
//
// An element is told by its number, `data-w`; a text by its element and its number among that element's texts. The
// server leaves a comment for every node that it drops, so the numbers of texts are those of the source.

import type { Pointed, Rect } from "../src/protocol";
import type { Spot } from "../src/api/types";

let index: Map<number, Element> | null = null;

/** The element of a number. */
export function elementOf(node: number): Element | null {
  if (!index) {
    index = new Map();
    for (const element of document.querySelectorAll("[data-w]")) {
      const number = Number(element.getAttribute("data-w"));
      // A page may carry the attribute itself only if the server did not take it off; the first one is ours.
      if (!index.has(number)) index.set(number, element);
    }
  }
  return index.get(node) ?? null;
}

/** The number of an element, or of the nearest one around it that has one. */
export function numbered(element: Element | null): Element | null {
  return element?.closest("[data-w]") ?? null;
}

export function numberOf(element: Element): number {
  return Number(element.getAttribute("data-w"));
}

/** The elements around one and itself, innermost first. */
export function chainOf(element: Element): number[] {
  const chain: number[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at.hasAttribute("data-w")) chain.push(numberOf(at));
  }
  return chain;
}

function textsOf(element: Element): Text[] {
  return [...element.childNodes].filter((child): child is Text => child.nodeType === Node.TEXT_NODE);
}

function isBlank(text: string): boolean {
  return !/\S/.test(text);
}

/** The text of a spot. */
export function textOf(spot: Spot): Text | null {
  const element = elementOf(spot.node);
  if (!element || typeof spot.text !== "number") return null;
  return textsOf(element)[spot.text] ?? null;
}

/** A text as a spot: its element itself if it is all that the element has to say. */
export function spotOfText(text: Text): Spot | null {
  const element = text.parentElement;
  if (!element?.hasAttribute("data-w")) return null;
  const node = numberOf(element);
  const others = [...element.childNodes].some(
    (child) => child !== text && child.nodeType !== Node.COMMENT_NODE && !isBlank(child.textContent ?? ""),
  );
  const pictures = element.querySelector("img, svg, video, input, canvas");
  if (!others && !pictures) return { node };
  return { node, text: textsOf(element).indexOf(text) };
}

/** The text under a point, if the point is on its letters and not merely beside them. */
function textAt(x: number, y: number): Text | null {
  const caret = document.caretRangeFromPoint?.(x, y);
  const node = caret?.startContainer;
  if (!node || node.nodeType !== Node.TEXT_NODE || isBlank(node.textContent ?? "")) return null;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    if (x >= box.left - 1 && x <= box.right + 1 && y >= box.top - 1 && y <= box.bottom + 1) return node as Text;
  }
  return null;
}

/** What stands at a point of the viewport. */
export function spotAt(x: number, y: number): Spot | null {
  const hit = numbered(document.elementFromPoint(x, y));
  if (!hit) return null;
  const text = textAt(x, y);
  // The letters may belong to something that lies below what was hit: an overlay of the page's own.
  if (text && hit.contains(text)) return spotOfText(text) ?? { node: numberOf(hit) };
  return { node: numberOf(hit) };
}

/** Where a spot is drawn: one rectangle a line of text, or the element's box. */
export function rectsOf(spot: Spot): Rect[] {
  const element = elementOf(spot.node);
  if (!element) return [];
  const text = textOf(spot);
  const own = text ?? element;
  if (text || spot.part) {
    const range = partOf(own, spot.part ?? undefined) ?? rangeOf(own);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0 && box.height > 0);
    if (boxes.length > 0) return boxes.length > 12 ? [unionOf(boxes)] : boxes.map(plain);
  }
  return [boxOf(element)].filter((box) => box.width > 0 && box.height > 0);
}

function rangeOf(node: Node): Range {
  const range = document.createRange();
  range.selectNodeContents(node);
  return range;
}

/** An element's box; an element without one (display: contents, a link around a float) has that of what is in it. */
function boxOf(element: Element): Rect {
  const box = element.getBoundingClientRect();
  if (box.width > 0 && box.height > 0) {
    return plain(box);
  }
  const inside = [...rangeOf(element).getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
  return inside.length > 0 ? unionOf(inside) : plain(box);
}

/** A part of a text, wherever it begins and ends among the texts below a node. */
function partOf(node: Node, part: string | undefined): Range | null {
  if (part === undefined || part === "") return null;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  if (node.nodeType === Node.TEXT_NODE) texts.push(node as Text);
  else while (walker.nextNode()) texts.push(walker.currentNode as Text);
  const whole = texts.map((text) => text.data).join("");
  const words = part.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const match = new RegExp(words.join("\\s+")).exec(whole);
  if (!match) return null;
  const range = document.createRange();
  let before = 0;
  for (const text of texts) {
    const end = before + text.data.length;
    if (match.index >= before && match.index < end) range.setStart(text, match.index - before);
    const last = match.index + match[0].length;
    if (last > before && last <= end) range.setEnd(text, last - before);
    before = end;
  }
  return range;
}

function plain(box: DOMRect | Rect): Rect {
  return { x: box.x, y: box.y, width: box.width, height: box.height };
}

/** The smallest rectangle around several. */
export function unionOf(boxes: Rect[]): Rect {
  const left = Math.min(...boxes.map((box) => box.x));
  const top = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** What is told of a spot when it is pointed at. */
export function pointedAt(spot: Spot): Pointed | null {
  const element = elementOf(spot.node);
  if (!element) return null;
  const rects = rectsOf(spot);
  const value = spot.part ?? (textOf(spot) ?? element).textContent ?? "";
  return {
    spot,
    up: chainOf(element),
    value: value.replace(/\s+/g, " ").trim().slice(0, 500),
    rect: rects.length > 0 ? unionOf(rects) : plain(element.getBoundingClientRect()),
  };
}
