// The script in the view of a page: tells the app what the person points at, and draws what the app asks for.
//
// The page's own scripts are gone before this one arrives. What is left of its behaviour, links, forms, focus, is
// stopped here, in the capture phase: the page is a picture with a tree behind it.

import type { FromFrame, Pointed, ToFrame } from "../src/protocol";
import type { Spot } from "../src/api/types";
import { draw, mount, redraw } from "./overlay";
import { selectedSpot } from "./selection";
import { elementOf, pointedAt, spotAt } from "./spots";
import { step } from "./walk";

let cursor: Spot | null = null;
let pressed: { x: number; y: number } | null = null;
/** Whether the button that goes up ends a selection: the click that follows means nothing. */
let dragged = false;

function say(message: FromFrame): void {
  parent.postMessage(message, "*");
}

/** A time that the app's clock understands. */
function clock(event: Event): number {
  return performance.timeOrigin + event.timeStamp;
}

function same(one: Spot | null, other: Spot | null): boolean {
  return one?.node === other?.node && one?.text === other?.text;
}

function moveTo(spot: Spot | null, label = ""): void {
  if (same(spot, cursor)) return;
  cursor = spot;
  show(label);
  say({ windrow: "hover", at: spot ? pointedAt(spot) : null });
}

function show(label: string): void {
  if (!cursor) return draw("hover", []);
  const element = elementOf(cursor.node);
  const name = label || (element ? element.localName : "");
  draw("hover", [{ kind: "hover", spots: [cursor], colour: 0, label: name }]);
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function tell(windrow: "click" | "select" | "menu", spot: Spot, event: Event): void {
  const at = pointedAt(spot);
  if (at) say({ windrow, at, time: clock(event) });
}

/** Pointer: hover, click, selection, context menu. */
function listenToPointer(): void {
  let asked = 0;
  addEventListener(
    "pointermove",
    (event) => {
      if (asked) return;
      asked = requestAnimationFrame(() => {
        asked = 0;
        moveTo(spotAt(event.clientX, event.clientY));
      });
    },
    true,
  );
  document.documentElement.addEventListener("pointerleave", () => moveTo(null));
  addEventListener(
    "mousedown",
    (event) => {
      pressed = { x: event.clientX, y: event.clientY };
      dragged = false;
      // Buttons and inputs would take the focus, and with it the keys; text must stay selectable.
      if ((event.target as Element).closest("input, select, textarea, button, video, audio, summary")) stop(event);
      window.focus();
    },
    true,
  );
  addEventListener(
    "click",
    (event) => {
      stop(event);
      // The second click of a double one selects a word; the first has marked already.
      if (dragged || event.detail > 1 || event.button !== 0) return;
      const spot = spotAt(event.clientX, event.clientY);
      if (spot) tell("click", spot, event);
    },
    true,
  );
  addEventListener(
    "mouseup",
    (event) => {
      if (event.button !== 0 || !pressed) return;
      dragged = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > 4;
      pressed = null;
      const selected = dragged ? selectedSpot() : null;
      if (selected) tell("select", selected, event);
    },
    true,
  );
  addEventListener(
    "contextmenu",
    (event) => {
      stop(event);
      const spot = selectedSpot() ?? (event.clientX || event.clientY ? spotAt(event.clientX, event.clientY) : cursor);
      if (spot) tell("menu", spot, event);
    },
    true,
  );
  for (const name of ["auxclick", "dblclick", "dragstart", "drop", "submit", "reset", "toggle", "change", "input"]) {
    addEventListener(name, stop, true);
  }
}

const WALK = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);
const SCROLL = new Set(["PageUp", "PageDown", "Home", "End", "Shift", "Control", "Alt", "Meta", "CapsLock"]);

/** Keys: arrows walk here, everything else is the app's. */
function listenToKeys(): void {
  addEventListener(
    "keydown",
    (event) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      const ctrl = ctrlKey || metaKey;
      if (SCROLL.has(key) || (ctrl && /^[-+0cr]$/i.test(key)) || /^F(5|11|12)$/.test(key)) return;
      stop(event);
      if (WALK.has(key) && !ctrl && !altKey) {
        const node = step(cursor?.node ?? null, key);
        if (node !== null) {
          moveTo({ node });
          elementOf(node)?.scrollIntoView({ block: "nearest", inline: "nearest" });
          redraw();
        }
        return;
      }
      const at = cursor ? pointedAt(cursor) : null;
      say({ windrow: "key", key, ctrl, shift: shiftKey, alt: altKey, at, time: clock(event) });
    },
    true,
  );
}

/** What the app asks for. Nobody else can: a page below this one has another window as its parent. */
function listenToApp(): void {
  addEventListener("message", (event: MessageEvent) => {
    if (event.source !== parent) return;
    const message = event.data as ToFrame;
    switch (message?.windrow) {
      case "draw":
        return draw(message.layer, message.boxes);
      case "scroll":
        return scrollTo(message.spot);
      case "cursor":
        return moveTo(message.node === null ? null : { node: message.node });
      case "focus":
        window.focus();
        if (!cursor) {
          const node = step(null, "ArrowDown");
          if (node !== null) moveTo({ node });
        }
        return;
    }
  });
}

function scrollTo(spot: Spot): void {
  const at: Pointed | null = pointedAt(spot);
  const element = elementOf(spot.node);
  if (!at || !element) return;
  const seen = at.rect.y >= 0 && at.rect.y + at.rect.height <= innerHeight && at.rect.x >= 0 && at.rect.x <= innerWidth;
  if (!seen) element.scrollIntoView({ block: "center", inline: "nearest" });
  redraw();
}

/** The page moves under the boxes: images arrive, the window is resized, something in it is scrolled. */
function followThePage(): void {
  let asked = 0;
  const later = (): void => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      redraw();
    });
  };
  addEventListener("resize", later);
  addEventListener("load", later, true);
  addEventListener(
    "scroll",
    (event) => {
      // The document takes the boxes along; a scrolled box inside it does not.
      if (event.target !== document) later();
      say({ windrow: "moved" });
    },
    { capture: true, passive: true },
  );
  new ResizeObserver(later).observe(document.documentElement);
  document.fonts?.ready.then(later, () => undefined);
}

mount();
listenToPointer();
listenToKeys();
listenToApp();
followThePage();
say({ windrow: "ready" });
