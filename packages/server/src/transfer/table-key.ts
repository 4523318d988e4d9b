import type { KeySpec } from './resource.ts';

/** A row's key as one text; undefined where a part of it is null or was not given. */
export function keyOf(
  row: Readonly<Record<string, unknown>>,
  { columns }: KeySpec,
): string | undefined {
  const [first = ''] = columns;
  // Most keys are an id alone.
  if (columns.length === 1) {
    const value = row[first];
    return typeof value === 'string' ? value : undefined;
  }
  const values = columns.map((column) => row[column] ?? null);
  return values.includes(null) ? undefined : JSON.stringify(values);
}
