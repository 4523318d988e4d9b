import { shown } from '../rows/fault.ts';
import type { Fault } from '../rows/fault.ts';
import type { Cells } from './cells.ts';
import type { TableSpec } from './resource.ts';
import type { SpooledRow } from './spool.ts';
import type { StoredRows } from './stored-rows.ts';
import { keyOf } from './table-key.ts';

/** What becomes of a row, and the whole row as it is to be stored. */
export interface Outcome {
  readonly kind: 'new' | 'changed' | 'unchanged';
  readonly cells: Cells;
}

/** Stored rows that a batch may meet. */
export interface Known {
  readonly byKey: ReadonlyMap<string | undefined, Cells>;
  /** By what no two rows may share, for rows whose own stored row does not have it already. */
  readonly byOther: ReadonlyMap<string | undefined, Cells>;
}

/** Reads the stored rows that a batch may meet. */
export async function findKnown(
  batch: readonly SpooledRow[],
  stored: StoredRows,
  { key, unique }: TableSpec,
): Promise<Known> {
  const found = await stored.select(key.lookup, batch.map(lookedUp(key.lookup)));
  const byKey = new Map(found.map((cells) => [keyOf(cells, key), cells]));
  if (unique === undefined) return { byKey, byOther: new Map() };
  const open = batch.filter(({ key: own, other }) => {
    const before = byKey.get(own);
    return other !== null && (before === undefined || keyOf(before, unique) !== other);
  });
  const others = await stored.select(unique.lookup, open.map(lookedUp(unique.lookup)));
  return { byKey, byOther: new Map(others.map((cells) => [keyOf(cells, unique), cells])) };
}

function lookedUp(column: string) {
  return ({ cells }: SpooledRow) => cells[column] ?? null;
}

/** Holds a row against what is stored: what it leaves out stays; a fault where it cannot be. */
export function decideRow(
  row: SpooledRow,
  { byKey, byOther }: Known,
  { table, complete }: { table: TableSpec; complete: (row: Cells) => Cells },
): Outcome | Fault {
  const found = row.other === null ? undefined : byOther.get(row.other);
  const rival = found !== undefined && keyOf(found, table.key) !== row.key ? found : undefined;
  if (rival !== undefined && row.isNamed) return rivalFault(row, rival, table);
  // A row without an id of its own is the one that is stored under another.
  const before = rival ?? byKey.get(row.key);
  if (before === undefined) return { kind: 'new', cells: { ...complete(row.cells), ...row.cells } };
  const ownId = rival === undefined ? {} : { id: rival['id'] ?? null };
  const cells: Cells = { ...before, ...row.cells, ...ownId };
  const isChanged = table.columns.some((column) => cells[column] !== before[column]);
  return { kind: isChanged ? 'changed' : 'unchanged', cells };
}

function rivalFault({ line, cells }: SpooledRow, rival: Cells, { key, unique }: TableSpec): Fault {
  const owner = key.columns.map((column) => shown(rival[column])).join(', ');
  const expected = `one row for the same ${unique?.words}: the workspace has it under the ${key.words} ${owner}`;
  return { line, field: 'id', expected, found: cells['id'] };
}
