import type { Table } from '../terminal/print.ts';

type Cell = string | number | null | undefined;

/**
 * Makes a table of rows, with each column under its heading. Prints `none` if there are no rows.
 */
export function tableOf<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => Cell>>,
  none: string,
): Table {
  return {
    headings: Object.keys(columns),
    rows: rows.map((row) => Object.values(columns).map((cell) => cell(row)?.toString() ?? null)),
    none,
  };
}
