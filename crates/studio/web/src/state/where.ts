// Where a click went, in terms of what is found already: on a value, into the record that is being shown, or elsewhere.
//
// After the first click the learner's record is often only the field itself. A second click beside it means the same
// record unless another record stands between: the lowest element around both holds no other.

import type { Cell, Row, Spot, Table } from "../api/types";
import type { Pointed } from "../protocol";
import type { Mark } from "./session";

/** A cell of a table, or of a record in a record. */
export interface CellAt {
  table: number;
  row: number;
  column: number;
  cell: number;
  /** Inside a record of a list in the record: column and cell there, and so on. */
  inner: { column: number; cell: number }[];
}

export type Where =
  | { kind: "first" }
  | { kind: "value"; at: CellAt; rule: string }
  | { kind: "same"; example: number }
  | { kind: "other"; row: number | null; table: number };

export function sameSpot(one: Spot | null | undefined, other: Spot | null | undefined): boolean {
  return (
    !!one && !!other && one.node === other.node && one.text === other.text && one.attribute === other.attribute &&
    (one.part ?? "") === (other.part ?? "")
  );
}

/** The same place, whether it is told as an element or as the one text in it. */
function covers(cell: Cell, spot: Spot, up: number[]): boolean {
  if (!cell.spot || cell.spot.attribute !== undefined || spot.part !== undefined) return sameSpot(cell.spot, spot);
  if (cell.spot.node === spot.node) {
    return cell.spot.text === spot.text || cell.spot.text === undefined || spot.text === undefined;
  }
  // A click on a word in bold inside the value is a click on the value.
  return cell.spot.text === undefined && up.includes(cell.spot.node);
}

function within(row: Row, up: readonly number[]): boolean {
  return row.nodes.some((node) => up.includes(node));
}

function cellIn(row: Row, at: Pointed): Omit<CellAt, "table" | "row"> | null {
  let best: { found: Omit<CellAt, "table" | "row">; depth: number } | null = null;
  row.cells.forEach((cells, column) =>
    cells.forEach((cell, number) => {
      if (cell.row) {
        const inside = within(cell.row, at.up) ? cellIn(cell.row, at) : null;
        if (inside) {
          const { column: innerColumn, cell: innerCell, inner } = inside;
          best = {
            found: { column, cell: number, inner: [{ column: innerColumn, cell: innerCell }, ...inner] },
            depth: Infinity,
          };
          return;
        }
        if (cell.row.cells.length > 0) return;
      }
      if (!covers(cell, at.spot, at.up)) return;
      const depth = at.up.length - at.up.indexOf(cell.spot!.node);
      if (!best || depth > best.depth) best = { found: { column, cell: number, inner: [] }, depth };
    }),
  );
  return (best as { found: Omit<CellAt, "table" | "row"> } | null)?.found ?? null;
}

function steps(path: string): string[] {
  return path.split("/").filter((step) => step !== "" && !step.startsWith("text()") && !step.startsWith("@"));
}

/** The steps that two paths begin with. */
function common(one: string, other: string): string[] {
  const left = steps(one);
  const right = steps(other);
  const end = left.findIndex((step, at) => step !== right[at]);
  return end < 0 ? left : left.slice(0, end);
}

function isBelow(path: string, around: string[]): boolean {
  const own = steps(path);
  return around.every((step, at) => own[at] === step);
}

/** The row of a mark. */
export function rowOf(table: Table, up: readonly number[]): number | null {
  const at = table.rows.findIndex((row) => within(row, up));
  return at < 0 ? null : at;
}

/** Where a click went. `path` is the absolute XPath of the place. */
export function whereIs(at: Pointed, path: string, page: number, tables: readonly Table[], marks: readonly Mark[]): Where {
  for (const [number, table] of tables.entries()) {
    for (const [row, record] of table.rows.entries()) {
      if (!within(record, at.up)) continue;
      const found = cellIn(record, at);
      if (found) return { kind: "value", at: { table: number, row, ...found }, rule: ruleOf(table, found) };
    }
  }
  const here = marks.filter((mark) => mark.page === page);
  if (marks.length === 0) return { kind: "first" };
  for (const [number, table] of tables.entries()) {
    const row = rowOf(table, at.up);
    if (row === null) continue;
    const mark = here.find((mark) => rowOf(table, mark.up) === row);
    return mark ? { kind: "same", example: mark.example } : { kind: "other", row, table: number };
  }
  for (const mark of here) if (isBeside(at, path, mark, tables)) return { kind: "same", example: mark.example };
  if (here.length === 0 && tables.every((table) => table.rows.length === 0)) return { kind: "other", row: null, table: 0 };
  return { kind: "other", row: null, table: 0 };
}

function isBeside(at: Pointed, path: string, mark: Mark, tables: readonly Table[]): boolean {
  const around = common(path, mark.path);
  const lists = tables.filter((table) => table.rows.some((row) => within(row, mark.up)));
  if (lists.length === 0) return true;
  return lists.every((table) => {
    const own = rowOf(table, mark.up)!;
    const others = table.rows.filter((row, number) => number !== own && isBelow(row.path, around));
    if (others.length === 0) return true;
    // Records that are runs of siblings: what follows this record's beginning and precedes the next one's is its own.
    const record = table.rows[own]!;
    const beside = steps(record.path).length === around.length + 1;
    const next = table.rows[own + 1]?.nodes[0] ?? Infinity;
    return beside && at.spot.node > record.nodes[0]! && at.spot.node < next;
  });
}

/** The rule of a cell. */
export function ruleOf(table: Table, at: Omit<CellAt, "table" | "row">): string {
  let column = table.columns[at.column];
  for (const step of at.inner) column = column?.columns[step.column];
  return column?.rule ?? table.rule;
}

/** The cell at a place of the table. */
export function cellAt(tables: readonly Table[], at: CellAt): Cell | null {
  let cell = tables[at.table]?.rows[at.row]?.cells[at.column]?.[at.cell] ?? null;
  for (const step of at.inner) cell = cell?.row?.cells[step.column]?.[step.cell] ?? null;
  return cell;
}
