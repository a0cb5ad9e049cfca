// Boxes over the page: drawn in a closed shadow root, absolutely placed, so that the page's styles do not reach them
// and the page's layout does not notice them.
//
// All places are measured first and all boxes written afterwards: one layout of the page for any number of boxes.

import type { Box, Layer, Rect } from "../src/protocol";
import type { Spot } from "../src/api/types";
import { rectsOf, unionOf } from "./spots";
import css from "./overlay.css?inline";

/** More boxes than this help nobody, and a browser would feel them. */
const MOST = 4000;

const host = document.createElement("windrow-overlay");
const root = host.attachShadow({ mode: "closed" });
const layers: Record<Layer | "hover", HTMLElement> = {
  regions: document.createElement("div"),
  result: document.createElement("div"),
  step: document.createElement("div"),
  chosen: document.createElement("div"),
  hover: document.createElement("div"),
};
const drawn: Record<Layer | "hover", Box[]> = { regions: [], result: [], step: [], chosen: [], hover: [] };

/** Puts the overlay on the page. */
export function mount(): void {
  for (const [name, value] of Object.entries({
    all: "initial", position: "absolute", top: "0", left: "0", width: "0", height: "0", overflow: "hidden",
    "pointer-events": "none", "z-index": "2147483647", display: "block", contain: "layout style", margin: "0",
  })) {
    host.style.setProperty(name, value, "important");
  }
  host.setAttribute("aria-hidden", "true");
  const style = new CSSStyleSheet();
  style.replaceSync(css);
  root.adoptedStyleSheets = [style];
  root.append(...Object.values(layers));
  document.documentElement.append(host);
}

/** Replaces what a layer shows. */
export function draw(layer: Layer | "hover", boxes: Box[]): void {
  // Drawing nothing over nothing would make the browser lay out the page before it shows it.
  if (boxes.length === 0 && drawn[layer].length === 0) return;
  drawn[layer] = boxes.slice(0, MOST);
  paint([layer]);
}

/** Measures and draws everything again: the page moved. */
export function redraw(): void {
  const all = Object.keys(layers) as (Layer | "hover")[];
  if (all.some((name) => drawn[name].length > 0)) paint(all);
}

function paint(names: (Layer | "hover")[]): void {
  const origin = sized(names.length > 1);
  const measured = names.map((name) => drawn[name].map((box) => ({ box, rects: areaOf(box) })));
  names.forEach((name, at) => {
    const parts = (measured[at] ?? []).flatMap(({ box, rects }) =>
      rects.map((rect, line) => boxElement(box, rect, origin, line === 0)),
    );
    layers[name].replaceChildren(...parts);
  });
}

/** As large as the page, so that nothing drawn makes it larger. Returns where the overlay begins. */
function sized(again: boolean): { x: number; y: number } {
  const page = document.documentElement;
  if (again || host.style.width === "0px") {
    host.style.setProperty("width", "0", "important");
    host.style.setProperty("height", "0", "important");
    const { scrollWidth, scrollHeight } = page;
    host.style.setProperty("width", `${scrollWidth}px`, "important");
    host.style.setProperty("height", `${scrollHeight}px`, "important");
  }
  const box = host.getBoundingClientRect();
  return { x: box.x, y: box.y };
}

/** A field is as many boxes as it has lines; everything else is one box around all of it. */
function areaOf(box: Box): Rect[] {
  const rects = box.spots.flatMap((spot: Spot) => rectsOf(spot));
  if (rects.length === 0) return [];
  const lines = box.kind === "field" || box.kind === "example" || box.kind === "chosen";
  return lines && box.spots.length === 1 ? rects : [unionOf(rects)];
}

function boxElement(box: Box, rect: Rect, origin: { x: number; y: number }, first: boolean): HTMLElement {
  const element = document.createElement("div");
  element.className = `box ${box.kind} c${box.colour % 8}`;
  element.style.transform = `translate(${rect.x - origin.x}px, ${rect.y - origin.y}px)`;
  element.style.width = `${rect.width}px`;
  element.style.height = `${rect.height}px`;
  if (first && box.label) {
    const label = document.createElement("span");
    label.textContent = box.label;
    // At the very top of the page there is no room above.
    if (rect.y - origin.y < 18) label.className = "inside";
    element.append(label);
  }
  return element;
}
