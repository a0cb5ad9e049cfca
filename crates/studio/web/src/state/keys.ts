// Keys: those that work everywhere, and those that the page hands on because it has the focus.

import type { FromFrame, Pointed } from "../protocol";
import * as evidence from "./evidence";
import * as learning from "./learning";
import * as pointing from "./pointing";
import { studio, type Side } from "./studio.svelte";
import { cellAt } from "./where";

const SIDES: Side[] = ["rules", "why", "lists", "more"];

interface Key {
  key: string;
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
}

/** Whether the key was one of those that work everywhere. */
function anywhere({ key, ctrl, shift, alt }: Key, focusPage: () => void): boolean {
  const low = key.toLowerCase();
  if (ctrl && low === "z") {
    if (shift) learning.redo();
    else learning.undo();
  } else if (ctrl && low === "y") learning.redo();
  else if (ctrl && low === "o") studio.dialog = "open";
  else if (ctrl && low === "s") studio.dialog = studio.session.rules ? "save" : studio.dialog;
  else if (ctrl && low === "e") studio.dialog = studio.session.rules ? "export" : studio.dialog;
  else if (alt && /^[1-4]$/.test(key)) studio.side = SIDES[Number(key) - 1]!;
  else if (alt && low === "l") void evidence.findLists();
  else if (key === "F6") nextPart(shift, focusPage);
  else if (key === "?" && !ctrl && !alt) studio.dialog = "keys";
  else return false;
  return true;
}

/** The parts of the window, one after the other. */
function nextPart(back: boolean, focusPage: () => void): void {
  const parts = ["iframe", ".bar .step", "[role=grid] [tabindex='0']", "#panel .cm-content, #panel button, #panel textarea", "header button"];
  const focus = document.activeElement;
  const homes = ["main", "section.bar", "section.table", "aside", "header"];
  const at = homes.findIndex((home) => focus?.closest(home));
  for (let step = 1; step <= parts.length; step += 1) {
    const next = (Math.max(at, 0) + (back ? parts.length - step : step)) % parts.length;
    if (next === 0) return focusPage();
    const target = document.querySelector<HTMLElement>(parts[next]!);
    if (target) return target.focus();
  }
}

/** A key in the window itself. */
export function handleKey(event: KeyboardEvent, focusPage: () => void): void {
  const target = event.target as HTMLElement;
  const typing = !!target.closest?.("input, textarea, select, .cm-editor");
  const ctrl = event.ctrlKey || event.metaKey;
  // In a text, undo is the text's own, and letters are letters.
  if (typing && (event.key === "?" || (ctrl && /^[zy]$/i.test(event.key)))) return;
  if (event.key === "Escape" && studio.popover) {
    studio.popover = null;
    focusPage();
  } else if (!anywhere({ key: event.key, ctrl, shift: event.shiftKey, alt: event.altKey }, focusPage)) return;
  event.preventDefault();
}

function isLetter({ key, ctrl, alt }: Key): boolean {
  return !ctrl && !alt && [...key].length === 1 && /[\p{L}_]/u.test(key);
}

/** A key on the page. */
export function handlePageKey(message: FromFrame & { windrow: "key" }, focusPage: () => void): void {
  const { at, time, key } = message;
  if (key === "Escape") {
    studio.forget();
  } else if (key === "Tab" && studio.popover && !message.shift) {
    studio.popover = { ...studio.popover, typed: studio.popover.typed ?? "" };
    document.querySelector<HTMLElement>(".popover input, .popover .choices button")?.focus();
  } else if (key === "Tab") {
    const to = message.shift ? "header [aria-current=page]" : ".bar .step:last-of-type, section.table [tabindex='0'], #tab-rules";
    const all = document.querySelectorAll<HTMLElement>(to);
    (message.shift ? all[0] : (document.querySelector<HTMLElement>(".bar li:last-of-type .step") ?? all[0]))?.focus();
  } else if (key === "F2" || (isLetter(message) && studio.popover?.mark !== null && studio.popover)) {
    name(at, time, key === "F2" ? "" : key);
  } else if (anywhere(message, focusPage)) {
    return;
  } else if ((key === "Enter" || key === " ") && at) {
    void pointing.point(at, time, "click").then(() => {
      // A question is answered by keys, too.
      if (studio.popover?.mark === null) studio.popover = { ...studio.popover, typed: "" };
    });
  } else if ((key === "ContextMenu" || (key === "F10" && message.shift)) && at) {
    void pointing.point(at, time, "menu").then(() => {
      if (studio.popover) studio.popover = { ...studio.popover, typed: "" };
    });
  } else if (key === "Delete" || key === "Backspace") {
    void crossOut(at, time);
  }
}

/** Names what is marked; on a place that is not, marks it first. */
function name(at: Pointed | null, time: number, typed: string): void {
  if (studio.popover) {
    studio.popover = { ...studio.popover, typed: (studio.popover.typed ?? "") + typed };
    return;
  }
  if (!at) return;
  void pointing.point(at, time, "click").then(() => {
    if (studio.popover) studio.popover = { ...studio.popover, typed };
  });
}

/** Crosses out the value that is pointed at, or the record around it. */
async function crossOut(at: Pointed | null, time: number): Promise<void> {
  if (studio.popover?.mark !== null && studio.popover) return pointing.unmark(studio.popover.mark);
  if (!at) return;
  await pointing.point(at, time, "menu");
  const where = studio.popover?.where;
  if (where?.kind === "value") {
    const spot = cellAt(studio.result?.tables ?? [], where.at)?.spot ?? at.spot;
    await pointing.cross(spot, where.rule);
  } else if (where?.kind === "other" && where.row !== null) await pointing.cross(at.spot);
}
