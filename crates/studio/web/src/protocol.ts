// What the app and the view of a page say to each other, by postMessage.
//
// The view's frame has an opaque origin: neither side can touch the other, and each checks who speaks. The view shows
// pages of strangers, so the app also checks what is said, field by field: `heard` gives null for what is not ours.

import type { Spot } from "./api/types";

/** A rectangle in the frame's viewport. */
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A place that was pointed at. */
export interface Pointed {
  spot: Spot;
  /** The elements around it and itself, innermost first. */
  up: number[];
  /** What it reads. */
  value: string;
  rect: Rect;
}

/** What a box means; the frame draws each kind in its own way. */
export type BoxKind = "record" | "field" | "example" | "nested" | "not" | "step" | "chosen" | "region" | "moved" | "hover";

/** Something to draw over the page. */
export interface Box {
  kind: BoxKind;
  /** One place, or siblings from the first to the last. */
  spots: Spot[];
  /** Which of the colours, from 0. */
  colour: number;
  /** What to write on it. */
  label?: string;
}

/** What is drawn together and replaced together. */
export type Layer = "result" | "regions" | "step" | "chosen";

/** From the app to the frame. */
export type ToFrame =
  | { windrow: "draw"; layer: Layer; boxes: Box[] }
  | { windrow: "scroll"; spot: Spot }
  | { windrow: "cursor"; node: number | null }
  | { windrow: "focus" };

/** From the frame to the app. */
export type FromFrame =
  | { windrow: "ready" }
  | { windrow: "hover"; at: Pointed | null }
  | { windrow: "click"; at: Pointed; time: number }
  | { windrow: "select"; at: Pointed; time: number }
  | { windrow: "menu"; at: Pointed; time: number }
  | { windrow: "key"; key: string; ctrl: boolean; shift: boolean; alt: boolean; at: Pointed | null; time: number }
  | { windrow: "moved" };

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isSpot(value: unknown): value is Spot {
  if (typeof value !== "object" || value === null) return false;
  const spot = value as Record<string, unknown>;
  return (
    isCount(spot.node) &&
    (spot.text === undefined || isCount(spot.text)) &&
    (spot.attribute === undefined || typeof spot.attribute === "string") &&
    (spot.part === undefined || typeof spot.part === "string")
  );
}

function isRect(value: unknown): value is Rect {
  if (typeof value !== "object" || value === null) return false;
  const rect = value as Record<string, unknown>;
  return ["x", "y", "width", "height"].every((side) => Number.isFinite(rect[side]));
}

function isPointed(value: unknown): value is Pointed {
  if (typeof value !== "object" || value === null) return false;
  const at = value as Record<string, unknown>;
  return (
    isSpot(at.spot) && isRect(at.rect) && typeof at.value === "string" && Array.isArray(at.up) && at.up.every(isCount)
  );
}

/** What the frame says, if it is something that it can say. */
export function heard(data: unknown): FromFrame | null {
  if (typeof data !== "object" || data === null) return null;
  const message = data as Record<string, unknown>;
  switch (message.windrow) {
    case "ready":
    case "moved":
      return { windrow: message.windrow };
    case "hover":
      if (message.at === null) return { windrow: "hover", at: null };
      return isPointed(message.at) ? { windrow: "hover", at: message.at } : null;
    case "click":
    case "select":
    case "menu":
      return isPointed(message.at) && Number.isFinite(message.time)
        ? { windrow: message.windrow, at: message.at, time: message.time as number }
        : null;
    case "key": {
      const { key, ctrl, shift, alt, at, time } = message;
      if (typeof key !== "string" || key.length > 32 || !Number.isFinite(time)) return null;
      if (at !== null && !isPointed(at)) return null;
      return {
        windrow: "key",
        key,
        ctrl: ctrl === true,
        shift: shift === true,
        alt: alt === true,
        at,
        time: time as number,
      };
    }
    default:
      return null;
  }
}
