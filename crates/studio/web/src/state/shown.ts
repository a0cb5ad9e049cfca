// Rules that were found without pointing, turned into pointing: the fullest record becomes the shown one.
//
// That lets a person begin with a list that was discovered and go on with clicks.

import type { Column, Row, RunResult } from "../api/types";
import type { Mark } from "./session";

function filled(row: Row): number {
  return row.cells.filter((cells) => cells.length > 0).length;
}

function marksOf(row: Row, columns: readonly Column[], page: number, before: string): Mark[] {
  return row.cells.flatMap((cells, at) => {
    const column = columns[at];
    const cell = cells[0];
    if (!column || !cell) return [];
    if (cell.row && column.columns.length > 0) return marksOf(cell.row, column.columns, page, `${before}${column.label}.`);
    const several = column.many || (column.type === "list" && column.columns.length === 0);
    if (!cell.spot) return [];
    return [
      {
        page,
        example: 0,
        name: `${before}${column.label}${several ? "[]" : ""}`,
        spot: cell.spot,
        value: cell.text,
        path: cell.path,
        up: [cell.spot.node, ...row.nodes],
      },
    ];
  });
}

/** The marks that would show the fullest record of the first list. */
export function shownBy(result: RunResult, page: number): Mark[] {
  const table = result.tables.find((table) => table.rule !== "" && table.rows.length > 0) ?? result.tables[0];
  if (!table || table.rows.length === 0) return [];
  const row = table.rows.reduce((best, row) => (filled(row) > filled(best) ? row : best));
  return marksOf(row, table.columns, page, "");
}
