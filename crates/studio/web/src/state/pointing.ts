// Pointing: what a click, a selection or a key on the page means, and what follows for the examples.

import { api } from "../api/client";
import type { PlaceInfo, Spot } from "../api/types";
import type { Pointed } from "../protocol";
import * as evidence from "./evidence";
import * as learning from "./learning";
import { freeName, nextExample, plainName, withSeveral, type Crossed, type Mark, type Origin } from "./session";
import { shownBy } from "./shown";
import { studio, type Popover } from "./studio.svelte";
import { rowOf, sameSpot, whereIs as placeAmong, type Where } from "./where";

/** A click, a selection, or the context menu on the page. */
export async function point(at: Pointed, time: number, how: "click" | "select" | "menu"): Promise<void> {
  const page = studio.current;
  if (page === null) return;
  learning.clickedAt(time);
  if (studio.side === "lists" && how === "click" && evidence.adoptAt(at)) return;
  try {
    const place = await api.place(page, at.spot);
    if (page !== studio.current) return;
    studio.place = { info: place, spot: at.spot };
    const where = whereIs(at, place);
    if (where.kind === "value") studio.choose(where.at, false);
    else studio.chosen = null;
    const marks = how !== "menu" && (where.kind === "first" || where.kind === "same");
    studio.popover = { at, where, place, mark: null, typed: null };
    if (marks) await mark(studio.popover);
  } catch (error) {
    studio.fail(error);
  }
}

export function whereIs(at: Pointed, place: PlaceInfo): Where {
  return placeAmong(at, place.path, studio.current!, studio.result?.tables ?? [], studio.session.marks);
}

/** Makes a field of what the popover is about: of the same record, or of another one that is shown. */
export async function mark(popover: Popover, name?: string): Promise<void> {
  if (!(await mayLearn())) return;
  const { at, where, place } = popover;
  const base = studio.session;
  const marks = seeded();
  const mark: Mark = {
    page: studio.current!,
    example: where.kind === "same" ? where.example : exampleFor(at, marks),
    name: name ?? freeName(place.name, marks),
    spot: at.spot,
    value: at.value,
    path: place.path,
    up: at.up,
  };
  const next = { ...base, marks: withSeveral([...marks, mark]), origin: "marks" as Origin };
  if (studio.popover === popover) studio.popover = { ...popover, mark: marks.length };
  studio.say(`Marked ${plainName(mark.name)}: ${mark.value.slice(0, 60)}`);
  await learning.learn(`mark ${plainName(mark.name)}`, next);
}

/** The shown record that a place is in; a new one if it is in none. */
function exampleFor(at: Pointed, marks: readonly Mark[]): number {
  for (const table of studio.result?.tables ?? []) {
    const row = rowOf(table, at.up);
    const mark = marks.find((mark) => row !== null && mark.page === studio.current && rowOf(table, mark.up) === row);
    if (mark) return mark.example;
  }
  return nextExample(marks);
}

/** The marks so far; rules that were found otherwise are turned into marks of their fullest record first. */
export function seeded(): readonly Mark[] {
  const { origin, marks } = studio.session;
  if (marks.length > 0 || origin === "marks" || origin === "none") return marks;
  return studio.result ? shownBy(studio.result, studio.current!) : [];
}

/** Another name for a mark and all that share its name. */
export async function rename(at: number, name: string): Promise<void> {
  const wanted = name.trim();
  const mark = studio.session.marks[at];
  if (!mark || wanted === "" || wanted === mark.name) return;
  // To the name of another field: it is one of those. To a new name: all that shared the old one follow.
  const taken = studio.session.marks.some((other) => plainName(other.name) === plainName(wanted));
  const all = studio.session.marks.map((other, number) =>
    number === at || (!taken && other.name === mark.name) ? { ...other, name: wanted } : other,
  );
  const marks = withSeveral(all);
  const crossed = studio.session.crossed.map((not) => (not.field === mark.name ? { ...not, field: wanted } : not));
  await learning.learn(`rename to ${plainName(wanted)}`, { ...studio.session, marks, crossed });
}

/** Points a mark elsewhere: at an attribute, at the element around it. */
export async function repoint(at: number, spot: Spot): Promise<void> {
  const old = studio.session.marks[at];
  if (!old) return;
  try {
    const place = await api.place(old.page, spot);
    const up = place.steps.map((step) => step.node).reverse();
    const mark = { ...old, spot, value: place.value, path: place.path, up };
    studio.place = { info: place, spot };
    if (studio.popover) studio.popover = { ...studio.popover, place, at: { ...studio.popover.at, spot, value: place.value, up } };
    const marks = studio.session.marks.map((other, number) => (number === at ? mark : other));
    await learning.learn(`change ${plainName(old.name)}`, { ...studio.session, marks });
  } catch (error) {
    studio.fail(error);
  }
}

export async function unmark(at: number): Promise<void> {
  const mark = studio.session.marks[at];
  if (!mark) return;
  const marks = studio.session.marks.filter((_, number) => number !== at);
  studio.popover = null;
  await learning.learn(`remove ${plainName(mark.name)}`, { ...studio.session, marks });
}

/** Crosses out a value, or with no field a record. */
export async function cross(spot: Spot, field?: string): Promise<void> {
  if (!(await mayLearn())) return;
  const marks = seeded();
  const not: Crossed = { page: studio.current!, field: field && markName(field, marks), spot };
  const crossed = [...studio.session.crossed, not];
  // A mark that is crossed out is no mark any more.
  const left = marks.filter((mark) => !(mark.page === not.page && sameSpot(mark.spot, spot) && field));
  studio.popover = null;
  studio.chosen = null;
  await learning.learn(field ? `not a ${plainName(field)}` : "not a record", {
    ...studio.session, marks: left, crossed, origin: "marks",
  });
}

/** The learner knows fields by the names of the marks; the table by rules below the list's name. */
function markName(rule: string, marks: readonly Mark[]): string {
  const mark = marks.find((mark) => rule === plainName(mark.name) || rule.endsWith(`.${plainName(mark.name)}`));
  return mark?.name ?? rule.split(".").at(-1) ?? rule;
}

export async function uncross(at: number): Promise<void> {
  const crossed = studio.session.crossed.filter((_, number) => number !== at);
  await learning.learn("take back a cross", { ...studio.session, crossed });
}

/** The paper's second method: a step of the path is the record. */
export async function pickRecord(node: number, path: string): Promise<void> {
  if (!(await mayLearn())) return;
  const picked = studio.session.record?.node === node && studio.session.record.page === studio.current;
  const record = picked ? null : { page: studio.current!, node, path };
  studio.say(picked ? "The record is found by itself again." : `The record is ${path}.`);
  learning.clickedAt(performance.timeOrigin + performance.now());
  await learning.learn(picked ? "let the record be found" : "pick the record", {
    ...studio.session, marks: seeded(), record, origin: "marks",
  });
}

/** Asks before rules that were written by hand are replaced. */
export function mayLearn(): Promise<boolean> {
  if (studio.session.origin !== "hand") return Promise.resolve(true);
  return new Promise((answer) => {
    studio.confirm = {
      text: "The rules were changed by hand. Learning anew replaces them; undo brings them back.",
      go: () => answer(true),
      stay: () => answer(false),
    };
  });
}
