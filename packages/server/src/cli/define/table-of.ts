import type { Table } from '../terminal/print.ts';

type Cell = string | number | null | undefined;

/**
 * Makes a table of rows, with each column under its heading. Without rows it prints `none`, and nothing if
 * that is empty.
 */
export function tableOf<Row>(
  rows: readonly Row[],
  none: string,
  columns: Readonly<Record<string, (row: Row) => Cell>>,
): Table {
  return {
    headings: Object.keys(columns),
    rows: rows.map((row) => Object.values(columns).map((cell) => cell(row)?.toString() ?? null)),
    none,
  };
}
