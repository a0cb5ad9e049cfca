// What a person has shown and written so far: all that undo takes back.

import type { Edit, ExampleRequest, Failure, RuleText, RunResult, Shown, Spot } from "../api/types";

/** A field that was pointed at. */
export interface Mark {
  page: number;
  /** Which of the shown records it belongs to, from 0. */
  example: number;
  /** As the example learner takes it: `title`, `tags[]`, `comments.author`. */
  name: string;
  spot: Spot;
  value: string;
  path: string;
  /** The elements around it and itself, innermost first. */
  up: number[];
}

/** A value or record that was crossed out. */
export interface Crossed {
  page: number;
  field?: string;
  spot: Spot;
}

/** Where the rules come from; marks and edits by hand do not mix without asking. */
export type Origin = "none" | "marks" | "hand" | "discover" | "feed" | "domain" | "file" | "repair";

export interface Session {
  marks: readonly Mark[];
  crossed: readonly Crossed[];
  /** The element that is the record, if a person picked it. */
  record: { page: number; node: number; path: string } | null;
  /** Changes of single rules since they were learned; made again when they are learned again. */
  edits: readonly { rule: string; edit: Edit }[];
  rules: RuleText | null;
  origin: Origin;
  result: RunResult | null;
  /** The page that the result is of. */
  on: number | null;
  notes: readonly string[];
  /** Why the rules could not be learned or run; the result is that of the last ones that could. */
  failure: Failure | null;
  /** The rules as they were before they were shown in another form, and the text they are shown as. */
  readonly original?: { readonly rules: RuleText; readonly text: string };
}

export const EMPTY: Session = {
  marks: [],
  crossed: [],
  record: null,
  edits: [],
  rules: null,
  origin: "none",
  result: null,
  on: null,
  notes: [],
  failure: null,
};

/** The session as a question to the learner. */
export function exampleRequest(session: Session, page: number): ExampleRequest {
  const shown = new Map<number, Shown>();
  for (const mark of session.marks) {
    const example = shown.get(mark.example) ?? { page: mark.page, fields: [] };
    example.fields.push({ name: mark.name, spot: mark.spot });
    shown.set(mark.example, example);
  }
  return {
    page,
    examples: [...shown.entries()].sort(([one], [other]) => one - other).map(([, example]) => example),
    not: session.crossed.map(({ page, field, spot }) => ({ page, field: field && plainName(field), spot })),
    record: session.record ? { page: session.record.page, node: session.record.node } : undefined,
  };
}

/** A field's name without what only the learner reads. */
export function plainName(name: string): string {
  return name.replace(/\[\]/g, "");
}

/** The names that were given, in the order of the marks. */
export function namesOf(marks: readonly Mark[]): string[] {
  return [...new Set(marks.map((mark) => mark.name))];
}

/** A name that no other field has. */
export function freeName(wanted: string, marks: readonly Mark[]): string {
  const taken = new Set(marks.map((mark) => plainName(mark.name)));
  const base = wanted.trim() || "field";
  if (!taken.has(base)) return base;
  for (let count = 2; ; count += 1) if (!taken.has(`${base}_${count}`)) return `${base}_${count}`;
}

/** The next record to be shown. */
export function nextExample(marks: readonly Mark[]): number {
  return marks.reduce((most, mark) => Math.max(most, mark.example + 1), 0);
}

/** Two values of one name in one record: the record has several of them, and the name says so. */
export function withSeveral(marks: readonly Mark[]): readonly Mark[] {
  const key = (mark: Mark): string => `${mark.example} ${plainName(mark.name)}`;
  const counts = new Map<string, number>();
  for (const mark of marks) counts.set(key(mark), (counts.get(key(mark)) ?? 0) + 1);
  const several = new Set(marks.filter((mark) => (counts.get(key(mark)) ?? 0) > 1).map((mark) => plainName(mark.name)));
  return marks.map((mark) =>
    several.has(mark.name) && !mark.name.includes(".") ? { ...mark, name: `${mark.name}[]` } : mark,
  );
}
