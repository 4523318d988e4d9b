import type { Table } from '../terminal/print.ts';

type Cell = string | number | null | undefined;

/** A table of rows, each column by its heading; `none` is said if there are no rows. */
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
