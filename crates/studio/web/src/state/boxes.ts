// What is drawn over the page, made from what was found and shown.

import type { Cell, Column, FoundList, Row, RunResult, Spot, Table } from "../api/types";
import type { Box } from "../protocol";
import { plainName, type Crossed, type Mark } from "./session";
import { sameSpot } from "./where";

/** Every field of a table, those of lists in its records too: its place here is its colour. */
export function flatColumns(columns: readonly Column[]): Column[] {
  return columns.flatMap((column) => [column, ...flatColumns(column.columns)]);
}

/** The colour of each rule. */
export function coloursOf(tables: readonly Table[]): Map<string, number> {
  const rules = tables.flatMap((table) => flatColumns(table.columns)).map((column) => column.rule);
  return new Map([...new Set(rules)].map((rule, number) => [rule, number]));
}

function spots(nodes: readonly number[]): Spot[] {
  return nodes.map((node) => ({ node }));
}

interface Ink {
  colours: Map<string, number>;
  marks: readonly Mark[];
  boxes: Box[];
}

function cellBoxes(cell: Cell, column: Column, ink: Ink): void {
  const colour = ink.colours.get(column.rule) ?? 0;
  if (cell.row && column.columns.length > 0) {
    ink.boxes.push({ kind: "nested", spots: spots(cell.row.nodes), colour });
    rowCells(cell.row, column.columns, ink);
    return;
  }
  if (!cell.spot) return;
  const mark = ink.marks.find((mark) => sameSpot(mark.spot, cell.spot));
  ink.boxes.push(
    mark
      ? { kind: "example", spots: [cell.spot], colour, label: plainName(mark.name) }
      : { kind: "field", spots: [cell.spot], colour },
  );
}

function rowCells(row: Row, columns: readonly Column[], ink: Ink): void {
  row.cells.forEach((cells, at) => {
    const column = columns[at];
    if (column) for (const cell of cells) cellBoxes(cell, column, ink);
  });
}

/** Records, their fields, what was marked and what was crossed out. */
export function resultBoxes(
  result: RunResult | null,
  page: number,
  marks: readonly Mark[],
  crossed: readonly Crossed[],
): Box[] {
  const tables = result?.tables ?? [];
  const here = marks.filter((mark) => mark.page === page);
  const ink: Ink = { colours: coloursOf(tables), marks: here, boxes: [] };
  for (const table of tables) {
    table.rows.forEach((row, number) => {
      if (row.nodes.length > 0 && table.rule !== "") {
        ink.boxes.push({ kind: "record", spots: spots(row.nodes), colour: 0, label: String(number + 1) });
      }
    });
    for (const row of table.rows) rowCells(row, table.columns, ink);
  }
  // A mark that no rule finds is shown all the same: a click must never seem to do nothing.
  for (const mark of here) {
    if (!ink.boxes.some((box) => box.kind === "example" && box.spots.some((spot) => sameSpot(spot, mark.spot)))) {
      const name = plainName(mark.name);
      const rule = [...ink.colours.keys()].find((rule) => rule === name || rule.endsWith(`.${name}`));
      ink.boxes.push({ kind: "example", spots: [mark.spot], colour: ink.colours.get(rule ?? "") ?? 0, label: name });
    }
  }
  for (const { page: on, spot, field } of crossed) {
    if (on === page) {
      ink.boxes.push({ kind: "not", spots: [spot], colour: 7, label: field ? `not ${plainName(field)}` : "no record" });
    }
  }
  return ink.boxes;
}

/** The lists that were found, each in its colour, the lists inside their records drawn in them. */
export function regionBoxes(lists: readonly FoundList[], lit: number | null): Box[] {
  return lists.flatMap((list, number) => {
    const table = list.result.tables.find((table) => table.rows.length > 0);
    if (!table) return [];
    const all = table.rows.flatMap((row) => spots(row.nodes));
    const region: Box = {
      kind: "region",
      spots: all,
      colour: number,
      label: `${number + 1} · ${table.total} records`,
    };
    const rows: Box[] = table.rows.map((row) => ({ kind: "nested", spots: spots(row.nodes), colour: number }));
    const inner = table.rows.flatMap((row) => nestedRows(row, table.columns, number + 1));
    return lit === null || lit === number ? [region, ...rows, ...inner] : [region];
  });
}

function nestedRows(row: Row, columns: readonly Column[], colour: number): Box[] {
  return row.cells.flatMap((cells, at) => {
    const column = columns[at];
    if (!column || column.columns.length === 0) return [];
    return cells.flatMap((cell): Box[] =>
      cell.row
        ? [
            { kind: "nested", spots: spots(cell.row.nodes), colour },
            ...nestedRows(cell.row, column.columns, colour + 1),
          ]
        : [],
    );
  });
}
