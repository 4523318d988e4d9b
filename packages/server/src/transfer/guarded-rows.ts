import type { Transaction } from 'kysely';
import type { Faults } from '../rows/fault.ts';
import { pad } from '../storage/chunks.ts';
import type { DataTables } from '../storage/schema.ts';
import { isCells } from '../storage/cells.ts';
import type { Cells } from '../storage/cells.ts';
import { decideRow, findStoredRows } from './decide-row.ts';
import type { TableSpec } from './resource.ts';
import type { StagedRow } from '../storage/staging/staging.ts';
import type { StoredRows } from '../storage/stored-rows.ts';

/** A batch in two parts: rows that may be written, and rows that a guard protects. */
export interface PartedRows {
  readonly free: readonly StagedRow<Cells>[];
  readonly guardedRows: readonly StagedRow<Cells>[];
}

/** Splits a batch into rows that may be written and rows that the table's guard protects. */
export async function partGuarded(
  transaction: Transaction<DataTables>,
  batch: readonly StagedRow<Cells>[],
  { table: { guard }, workspaceId }: { table: TableSpec; workspaceId: string },
): Promise<PartedRows> {
  if (guard === undefined) return { free: batch, guardedRows: [] };
  const nameOf = (cells: Cells) => JSON.stringify(guard.columns.map((column) => cells[column]));
  const values = [...new Set(batch.map(({ content }) => content[guard.lookup] ?? null))];
  const { rows } = await guard.select(workspaceId, pad(values)).execute(transaction);
  const guarded = new Set(rows.filter(isCells).map(nameOf));
  const isHeld = ({ content }: StagedRow<Cells>) => guarded.has(nameOf(content));
  return { free: batch.filter((row) => !isHeld(row)), guardedRows: batch.filter(isHeld) };
}

/**
 * Leaves protected rows as they are stored. A row that differs is a fault if the guard says so,
 * otherwise it is counted. Returns the count.
 */
export async function keepGuarded(
  stored: StoredRows,
  guardedRows: readonly StagedRow<Cells>[],
  { table, faults }: { table: TableSpec; faults: Faults },
): Promise<number> {
  const { guard } = table;
  if (guard === undefined || guardedRows.length === 0) return 0;
  let count = 0;
  const knownRows = await findStoredRows(guardedRows, stored, table);
  for (const row of guardedRows) {
    const isStored = knownRows.byKey.has(row.key) || knownRows.byOther.has(row.other ?? undefined);
    const outcome = isStored ? decideRow(row, knownRows, table) : undefined;
    if (outcome !== undefined && 'isChanged' in outcome && !outcome.isChanged) continue;
    const { expected, columns } = guard;
    const field = columns[0] ?? '';
    if (expected === undefined) count += 1;
    else faults.add({ line: row.line, field, expected, found: row.content[field] });
  }
  return count;
}
