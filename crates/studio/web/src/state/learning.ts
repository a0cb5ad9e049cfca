// Rules: learned from the marks, run on the page, written by hand, changed in one place; undone and done again.
//
// One question to the server at a time: a newer one makes the older one's answer worthless.

import { api, failureOf, isAborted } from "../api/client";
import type { Edit, Form, RuleText, RunResult } from "../api/types";
import { EMPTY, exampleRequest, plainName, type Session } from "./session";
import { studio } from "./studio.svelte";

/** What is under way. */
const asked = {
  asking: null as AbortController | null,
  /** When the click was made that the next answer follows from, for measuring. */
  clicked: 0,
  typing: undefined as ReturnType<typeof setTimeout> | undefined,
};

/** Remembers when a click was made. */
export function clickedAt(time: number): void {
  asked.clicked = time;
}

/** A step of the person's, and the rules that follow from it. */
export async function learn(label: string, next: Session): Promise<void> {
  studio.formFailure = null;
  studio.history.push(label, { ...next, failure: null });
  if (next.marks.length === 0) {
    stop();
    studio.history.amend({ ...studio.session, rules: null, result: null, notes: [], origin: "none" });
    settled();
    return;
  }
  await answer(async (signal) => {
    const learned = await api.example(exampleRequest(next, studio.current!), signal);
    let { rules, result } = learned;
    if (next.edits.length > 0) {
      rules = await editAgain(rules, next.edits, signal);
      result = await api.run(studio.current!, rules, signal);
    }
    return { rules, result, notes: learned.notes };
  });
}

async function editAgain(rules: RuleText, edits: Session["edits"], signal: AbortSignal): Promise<RuleText> {
  for (const { rule, edit } of edits) {
    // A rule that is gone cannot be changed, and need not be.
    rules = await api.edit(rules, rule, edit, signal).catch((error: unknown) => {
      if (isAborted(error)) throw error;
      return rules;
    });
  }
  return rules;
}

/** Runs the rules as they are on the page as it is. */
export async function run(): Promise<void> {
  const rules = studio.session.rules;
  const page = studio.current;
  if (!rules || page === null) return;
  await answer(async (signal) => ({ rules, result: await api.run(page, rules, signal), notes: [] }));
}

/** One question at a time: a newer one makes the older one's answer worthless. */
async function answer(
  question: (signal: AbortSignal) => Promise<{ rules: RuleText; result: RunResult; notes: readonly string[] }>,
): Promise<void> {
  stop();
  const asking = new AbortController();
  asked.asking = asking;
  const waiting = setTimeout(() => {
    studio.busy = { label: "Learning…", cancel: () => asking.abort() };
  }, 400);
  const on = studio.current;
  try {
    const { rules, result, notes } = await question(asking.signal);
    if (asked.asking !== asking) return;
    studio.history.amend({ ...studio.session, rules, result, on, notes, failure: null });
    tell(result);
  } catch (error) {
    if (isAborted(error) || asked.asking !== asking) return;
    const failure = failureOf(error);
    studio.history.amend({ ...studio.session, failure });
    studio.say(failure.message);
  } finally {
    clearTimeout(waiting);
    if (asked.asking === asking) {
      asked.asking = null;
      studio.busy = null;
      settled();
    }
  }
}

export function stop(): void {
  asked.asking?.abort();
  asked.asking = null;
  studio.busy = null;
}

/** Says what was found, in the status line. */
export function tell(result: RunResult): void {
  const lists = result.tables.filter((table) => table.rule !== "");
  const records = (total: number): string => (total === 1 ? "1 record" : `${total} records`);
  const counts = lists.map((table) => records(table.total) + (lists.length > 1 ? ` in ${table.label}` : ""));
  if (lists.length < result.tables.length) counts.unshift("what the page tells of itself");
  studio.say(counts.length > 0 ? `Found ${counts.join(", ")}.` : "Nothing found.");
}

/** The table is drawn in the next frame; from the click to there is what a person waits for. */
export function settled(): void {
  studio.version += 1;
  const start = asked.clicked;
  asked.clicked = 0;
  if (start === 0) return;
  requestAnimationFrame(() => {
    const from = Math.max(0, start - performance.timeOrigin);
    performance.measure("windrow:refined", { start: from, end: performance.now() });
  });
}

/** The person types into the editor. */
export function write(text: string): void {
  const { rules, origin } = studio.session;
  if (rules?.text === text) return;
  const form = rules?.form ?? "toml";
  const next: Session = { ...studio.session, rules: { text, form }, origin: "hand" };
  if (origin === "hand" && studio.history.undoable === "edit the rules") studio.history.amend(next);
  else studio.history.push("edit the rules", next);
  clearTimeout(asked.typing);
  asked.typing = setTimeout(() => void run(), 180);
}

/** Changes one rule, the rest of the text stays. */
export async function edit(rule: string, edit: Edit): Promise<void> {
  const rules = studio.session.rules;
  if (!rules) return;
  try {
    const changed = await api.edit(rules, rule, edit);
    let next: Session = { ...studio.session, rules: changed, edits: [...studio.session.edits, { rule, edit }] };
    if (studio.session.origin === "marks") next = withEdit(next, rule, edit);
    studio.history.push(`${edit.kind} ${rule.split(".").at(-1)}`, next);
    await run();
  } catch (error) {
    studio.fail(error);
  }
}

/**
 * Shows the rules in another form, if they can be written in it. Forms say more or less, so each is made from the rules as
 * they were before, unless what it says was edited.
 */
export async function convert(to: Form): Promise<void> {
  const { rules: shown, original } = studio.session;
  studio.formFailure = null;
  studio.preview = null;
  if (!shown || shown.form === to) return;
  const rules = original?.text === shown.text ? original.rules : shown;
  try {
    // Commands that the rules cannot be written as are learned from the page.
    const converted = rules.form === to ? rules : await api.convert(rules, to, studio.current ?? undefined);
    // Absolute paths are to be read; the rules stay what they are.
    if (to === "absolute") {
      studio.preview = converted;
      return;
    }
    studio.history.push(`show as ${to}`, { ...studio.session, rules: converted, original: { rules, text: converted.text } });
    await run();
  } catch (error) {
    studio.formFailure = failureOf(error);
    studio.fail(error);
  }
}

export function undo(): void {
  stop();
  const label = studio.history.undo();
  studio.forget();
  if (label !== null) restored(`Undid: ${label}.`);
}

export function redo(): void {
  stop();
  const label = studio.history.redo();
  studio.forget();
  if (label !== null) restored(`Did again: ${label}.`);
}

function restored(text: string): void {
  studio.say(text);
  studio.version += 1;
  if (studio.session.rules && studio.session.on !== studio.current) void run();
}

/** Everything that was shown and written is put away; undo brings it back. */
export function clear(): void {
  stop();
  studio.forget();
  studio.place = null;
  studio.history.push("start over", EMPTY);
  studio.side = "rules";
  studio.say("Click a value of one record on the page.");
  settled();
}

/** Marks follow the names of the rules. */
function withEdit(session: Session, rule: string, edit: Edit): Session {
  const own = (name: string): boolean => rule === plainName(name) || rule.endsWith(`.${plainName(name)}`);
  if (edit.kind === "rename") {
    const named = (name: string): string => {
      if (!own(name)) return name;
      const tail = name.endsWith("[]") ? "[]" : "";
      return [...plainName(name).split(".").slice(0, -1), edit.name].join(".") + tail;
    };
    const renamed = [...rule.split(".").slice(0, -1), edit.name].join(".");
    return {
      ...session,
      marks: session.marks.map((mark) => ({ ...mark, name: named(mark.name) })),
      crossed: session.crossed.map((not) => ({ ...not, field: not.field && named(not.field) })),
      edits: session.edits
        .filter((other) => other.edit !== edit)
        .map((other) => (other.rule === rule ? { ...other, rule: renamed } : other)),
    };
  }
  if (edit.kind === "remove") {
    return { ...session, marks: session.marks.filter((mark) => !own(mark.name)) };
  }
  return session;
}
