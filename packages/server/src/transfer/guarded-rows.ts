import type { Transaction } from 'kysely';
import type { Faults } from '../rows/fault.ts';
import { filledUp } from '../storage/few-shapes.ts';
import type { DataTables } from '../storage/schema.ts';
import { isCells } from './cells.ts';
import type { Cells } from './cells.ts';
import { decideRow, findKnown } from './decide-row.ts';
import type { TableSpec } from './resource.ts';
import type { SpooledRow } from './spool.ts';
import type { StoredRows } from './stored-rows.ts';

/** A batch in two: rows that may be written, and rows that meet what is guarded. */
export interface Parted {
  readonly free: readonly SpooledRow[];
  readonly held: readonly SpooledRow[];
}

/** Parts a batch by the table's guard. */
export async function partGuarded(
  transaction: Transaction<DataTables>,
  batch: readonly SpooledRow[],
  { table: { guard }, workspaceId }: { table: TableSpec; workspaceId: string },
): Promise<Parted> {
  if (guard === undefined) return { free: batch, held: [] };
  const nameOf = (cells: Cells) => JSON.stringify(guard.columns.map((column) => cells[column]));
  const values = [...new Set(batch.map(({ cells }) => cells[guard.lookup] ?? null))];
  const { rows } = await guard.select(workspaceId, filledUp(values)).execute(transaction);
  const guarded = new Set(rows.filter(isCells).map(nameOf));
  const isHeld = ({ cells }: SpooledRow) => guarded.has(nameOf(cells));
  return { free: batch.filter((row) => !isHeld(row)), held: batch.filter(isHeld) };
}

/** Leaves held rows as they are stored; a row that differs is a fault where the guard says so. */
export async function keepGuarded(
  stored: StoredRows,
  held: readonly SpooledRow[],
  { table, faults }: { table: TableSpec; faults: Faults },
): Promise<void> {
  const { guard } = table;
  if (guard?.expected === undefined || held.length === 0) return;
  const known = await findKnown(held, stored, table);
  for (const row of held) {
    const isStored = known.byKey.has(row.key) || known.byOther.has(row.other ?? undefined);
    const outcome = isStored ? decideRow(row, known, table) : undefined;
    if (outcome !== undefined && 'isChanged' in outcome && !outcome.isChanged) continue;
    const field = guard.columns[0] ?? '';
    faults.add({ line: row.line, field, expected: guard.expected, found: row.cells[field] });
  }
}
