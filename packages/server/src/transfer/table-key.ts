import type { Cells } from './cells.ts';
import type { KeySpec } from './resource.ts';

/** A row's key as one text; undefined where a part of it is null or was not given. */
export function keyOf(row: Cells, { columns }: KeySpec): string | undefined {
  const [first] = columns;
  if (columns.length === 1 && first !== undefined) {
    const value = row[first] ?? undefined;
    return value === undefined ? undefined : String(value);
  }
  const values = columns.map((column) => row[column] ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}
