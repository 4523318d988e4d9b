import { quoteValue } from '../values/quote-value.ts';
import type { Fault } from '../rows/fault.ts';
import type { Cells } from '../storage/cells.ts';
import type { TableSpec } from './resource.ts';
import type { StagedRow } from '../storage/staging/staging.ts';
import { rowKeyOf } from '../storage/stored-rows.ts';
import type { StoredRows } from '../storage/stored-rows.ts';

/** The new state of a row that is stored already, as a whole row. */
export interface RowOutcome {
  readonly isChanged: boolean;
  readonly before: Cells;
  readonly cells: Cells;
}

/** Stored rows that a batch may meet. */
export interface KnownRows {
  readonly byKey: ReadonlyMap<string | undefined, Cells>;
  /** Stored rows by their second unique key, for rows that would newly take that key. */
  readonly byOther: ReadonlyMap<string | undefined, Cells>;
}

/** Reads the stored rows that a batch may meet. */
export async function findStoredRows(
  batch: readonly StagedRow<Cells>[],
  stored: StoredRows,
  { key, unique }: TableSpec,
): Promise<KnownRows> {
  const rows = await stored.select(key.lookup, batch.map(contentOf(key.lookup)));
  const byKey = new Map(rows.map((cells) => [rowKeyOf(cells, key), cells]));
  if (unique === undefined) return { byKey, byOther: new Map() };
  const open = batch.filter(({ key: rowKey, other }) => {
    const before = byKey.get(rowKey);
    return other !== null && (before === undefined || rowKeyOf(before, unique) !== other);
  });
  const others = await stored.select(unique.lookup, open.map(contentOf(unique.lookup)));
  return { byKey, byOther: new Map(others.map((cells) => [rowKeyOf(cells, unique), cells])) };
}

function contentOf(column: string) {
  return ({ content }: StagedRow<Cells>) => content[column] ?? null;
}

/** A fault if another stored row has the unique value of this row; otherwise undefined. */
export function rivalFault(
  row: StagedRow<Cells>,
  knownRows: KnownRows,
  table: TableSpec,
): Fault | undefined {
  const rival = rivalOf(row, knownRows, table);
  // A row without its own id is the stored row, whatever id that has.
  if (rival === undefined || !row.isNamed) return undefined;
  const { key, unique } = table;
  const owner = key.columns.map((column) => quoteValue(rival[column])).join(', ');
  const expected = `one row for the same ${unique?.words}: the workspace has it under the ${key.words} ${owner}`;
  return { line: row.line, field: 'id', expected, found: row.content['id'] };
}

/**
 * Merges a row with the stored one, whose fields stay if the row leaves them out. Returns a fault
 * if the result would be invalid.
 */
export function decideRow(
  row: StagedRow<Cells>,
  knownRows: KnownRows,
  table: TableSpec,
): RowOutcome | Fault {
  const fault = rivalFault(row, knownRows, table);
  if (fault !== undefined) return fault;
  const rival = rivalOf(row, knownRows, table);
  const before = rival ?? knownRows.byKey.get(row.key);
  if (before === undefined) throw new TypeError('Nothing is in the way of the row');
  const ownId = rival === undefined ? {} : { id: rival['id'] ?? null };
  const cells: Cells = { ...before, ...row.content, ...ownId };
  const isChanged = table.columns.some((column) => cells[column] !== before[column]);
  return halfMoveFault(row, { before, cells }, table) ?? { isChanged, before, cells };
}

/**
 * A fault for a row that changes only part of a unique value, because the whole new value was not
 * checked for conflicts.
 */
function halfMoveFault(
  row: StagedRow<Cells>,
  { before, cells }: { before: Cells; cells: Cells },
  { key, unique }: TableSpec,
): Fault | undefined {
  if (unique === undefined || row.other !== null) return undefined;
  const after = rowKeyOf(cells, unique);
  if (after === undefined || after === rowKeyOf(before, unique)) return undefined;
  const field = unique.columns.find((column) => row.content[column] === undefined);
  if (field === undefined) return undefined;
  const expected = `a value: the workspace has the ${key.words} with another ${unique.words}`;
  return { line: row.line, field, expected };
}

/** Finds the stored row with another key that has the unique value. */
function rivalOf({ key, other }: StagedRow<Cells>, { byOther }: KnownRows, table: TableSpec) {
  const rival = other === null ? undefined : byOther.get(other);
  return rival !== undefined && rowKeyOf(rival, table.key) !== key ? rival : undefined;
}
