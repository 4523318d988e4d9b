import type { Transaction } from 'kysely';
import { quoteValue } from '../values/quote-value.ts';
import type { Faults } from '../rows/fault.ts';
import { listenAndRefuseIfStopped } from '../rows/refuse-if-stopped.ts';
import { noteChanges } from '../storage/note-changes.ts';
import type { DataTables } from '../storage/schema.ts';
import { isCells, textCell } from '../storage/cells.ts';
import type { Cells } from '../storage/cells.ts';
import { decideRow, findStoredRows, rivalFault } from './decide-row.ts';
import type { RowOutcome } from './decide-row.ts';
import type { TableSpec } from './resource.ts';
import type { StagedRow, StagedTable } from '../storage/staging/staging.ts';
import type { Store } from '../storage/store.ts';
import { rowKeyOf, storedRows } from '../storage/stored-rows.ts';
import type { StoredRows } from '../storage/stored-rows.ts';
import { pad } from '../storage/chunks.ts';

/** How many rows of a file were new, changed or unchanged. */
export interface RowCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows that differ from figures that Overheard has derived. The derived figures stay. */
  readonly kept: number;
}

export interface TableWriteOptions {
  readonly workspaceId: string;
  /** The number of the import, stored with its rows. */
  readonly importId: number;
  readonly importedBy: string | undefined;
  readonly table: TableSpec;
  readonly rows: StagedTable<Cells>;
  /** Completes a new row with default values. */
  readonly complete: (row: Cells) => Cells;
  /** The moment of the import. */
  readonly now: string;
  /** Called with rows that contradict stored ones. */
  readonly faults: Faults;
  readonly signal: AbortSignal | undefined;
  /** Called after each batch with the number of finished rows. */
  readonly onProgress: (rows: number) => void | Promise<void>;
}

/** Limits of a batch. Rows may have megabytes, and then fewer are held in memory. */
const batchLimits = { rowsMax: 200, charactersMax: 4 * 1024 * 1024 };

/**
 * Writes staged rows: inserts new ones, and updates stored ones whose given fields differ. Tries to
 * insert rows to find the new ones, because looking each up first would need a second statement.
 */
export async function writeTable(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  {
    workspaceId,
    importId,
    importedBy,
    table,
    rows,
    complete,
    now,
    faults,
    signal,
    onProgress,
  }: TableWriteOptions,
): Promise<RowCounts> {
  const stored = storedRows(store, transaction, table, { workspaceId, importId });
  const counts = { new: 0, changed: 0, unchanged: 0, kept: 0 };
  let done = 0;
  await refuseTakenIds(stored, rows, { table, faults, signal });
  for (const all of rows.batches(batchLimits)) {
    const { free, guardedRows } = await partGuarded(transaction, all, { table, workspaceId });
    const keptCount = await keepGuarded(stored, guardedRows, { table, faults });
    const batch = await withoutRivals(stored, free, { table, faults });
    const whole = batch.map(({ content }) => complete(content));
    const inserted = await stored.insert(whole);
    const existing = batch.filter(({ key }) => !inserted.has(key));
    const changed = await update(stored, existing, { table, faults });
    if (changed.length > 0)
      await table.onChanged?.(transaction, { workspaceId, now, importedBy, rows: changed });
    const contents = batch.map(({ content }) => content);
    const besides = await table.besides?.(transaction, { workspaceId, rows: contents });
    const rewritten = new Set(changed.map(({ cells }) => cells['id']));
    const others = existing.filter(({ content: { id = null } }) => {
      return !rewritten.has(id) && besides?.has(String(id)) === true;
    });
    const written = [
      ...whole.filter((_, index) => inserted.has(batch[index]?.key ?? '')),
      ...changed.flatMap(({ before, cells }) => [before, cells]),
    ];
    const days = await table.daysOf?.(transaction, { workspaceId, rows: written });
    await noteChanges(transaction, workspaceId, days ?? {});
    counts.new += inserted.size;
    const changes = changed.length + others.length;
    counts.changed += changes;
    counts.unchanged += existing.length - changes + guardedRows.length - keptCount;
    counts.kept += keptCount;
    done += all.length;
    await onProgress(done);
    await listenAndRefuseIfStopped(signal);
  }
  return counts;
}

/**
 * A row without an id is the stored one of the same run and subject. If the file gives that row's
 * id to another row, refuses both, because the result would depend on their order.
 */
async function refuseTakenIds(
  stored: StoredRows,
  rows: StagedTable<Cells>,
  { table, faults, signal }: Pick<TableWriteOptions, 'table' | 'faults' | 'signal'>,
): Promise<void> {
  if (table.unique?.isIndexed !== true || !rows.isMixed()) return;
  for (const all of rows.batches(batchLimits)) {
    await listenAndRefuseIfStopped(signal);
    const batch = all.filter((row) => !row.isNamed && row.other !== null);
    if (batch.length === 0) continue;
    const knownRows = await findStoredRows(batch, stored, table);
    for (const row of batch) {
      const rival = knownRows.byOther.get(row.other ?? undefined);
      const key = rival === undefined ? undefined : rowKeyOf(rival, table.key);
      if (key === undefined || key === row.key || rows.lineOf(key) === undefined) continue;
      const expected = `an id: the workspace has this ${table.unique.words} under the id ${quoteValue(rival?.['id'])}, which another line gives to another`;
      faults.add({ line: row.line, field: 'id', expected, found: undefined });
    }
  }
}

/** Removes rows that conflict with stored rows, if no index of the database would refuse them. */
async function withoutRivals(
  stored: StoredRows,
  rows: readonly StagedRow<Cells>[],
  { table, faults }: Pick<TableWriteOptions, 'table' | 'faults'>,
): Promise<readonly StagedRow<Cells>[]> {
  if (table.unique === undefined || table.unique.isIndexed === true) return rows;
  const knownRows = await findStoredRows(rows, stored, table);
  return rows.filter((row) => {
    const fault = rivalFault(row, knownRows, table);
    if (fault !== undefined) faults.add(fault);
    return fault === undefined;
  });
}

/** Updates the stored rows that differ from the given ones, and returns them. */
async function update(
  stored: StoredRows,
  rows: readonly StagedRow<Cells>[],
  { table, faults }: Pick<TableWriteOptions, 'table' | 'faults'>,
): Promise<RowOutcome[]> {
  if (rows.length === 0) return [];
  const knownRows = await findStoredRows(rows, stored, table);
  const changed: RowOutcome[] = [];
  const same: string[] = [];
  for (const row of rows) {
    const outcome = decideRow(row, knownRows, table);
    if ('expected' in outcome) faults.add(outcome);
    else if (outcome.isChanged) changed.push(outcome);
    else same.push(textCell(outcome.cells, 'id'));
  }
  await stored.upsert(changed.map(({ cells }) => cells));
  await stored.confirm(same);
  return changed;
}

/** Splits a batch into rows that may be written and rows that the table's guard protects. */
async function partGuarded(
  transaction: Transaction<DataTables>,
  batch: readonly StagedRow<Cells>[],
  { table: { guard }, workspaceId }: { table: TableSpec; workspaceId: string },
) {
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
async function keepGuarded(
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
