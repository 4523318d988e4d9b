import { setImmediate } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { shown } from '../rows/fault.ts';
import type { Faults } from '../rows/fault.ts';
import { refuseIfStopped } from '../rows/stop.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Cells, Scalar } from './cells.ts';
import type { TableSpec } from './resource.ts';
import type { SpooledRow, SpoolTable } from './spool.ts';
import { storedRows } from './stored-rows.ts';
import { keyOf } from './table-key.ts';

/** What became of the rows of a file. */
export interface Counts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
}

export interface WriteOptions {
  readonly workspaceId: string;
  readonly table: TableSpec;
  readonly rows: SpoolTable;
  /** Columns that hold booleans. */
  readonly booleans: ReadonlySet<string>;
  /** What a new row has where it says nothing. */
  readonly complete: (row: Cells) => Cells;
  /** Told of rows that contradict what is stored. */
  readonly faults: Faults;
  readonly signal: AbortSignal | undefined;
  /** Told after each batch how many rows are done. */
  readonly onProgress: (rows: number) => void | Promise<void>;
}

/** Rows of one statement: 500 of 11 columns are far below what either database takes. */
const batchRows = 500;

/** Writes spooled rows: new ones whole, stored ones where what is given differs. */
export async function writeTable(
  transaction: Transaction<DataTables>,
  { workspaceId, table, rows, booleans, complete, faults, signal, onProgress }: WriteOptions,
): Promise<Counts> {
  const stored = storedRows(transaction, table, { workspaceId, booleans });
  const counts = { new: 0, changed: 0, unchanged: 0 };
  const pending: Cells[] = [];
  let done = 0;
  for (const batch of rows.batches(batchRows)) {
    const known = await findStored(batch);
    for (const row of batch) {
      const outcome = decide(row, known);
      if (outcome === undefined) continue;
      counts[outcome.kind] += 1;
      if (outcome.kind !== 'unchanged') pending.push(outcome.cells);
    }
    // Statements of one length are compiled once.
    while (pending.length >= batchRows) await stored.upsert(pending.splice(0, batchRows));
    done += batch.length;
    await onProgress(done);
    // A signal is heard between two turns of the event loop only.
    await setImmediate();
    refuseIfStopped(signal);
  }
  await stored.upsert(pending);
  return counts;

  async function findStored(batch: readonly SpooledRow[]): Promise<Known> {
    const { key, unique } = table;
    const byKey = await stored.select(key.lookup, lookupValues(batch, key.lookup));
    const others = unique === undefined ? [] : batch.filter((row) => row.other !== null);
    const byOther =
      unique === undefined
        ? []
        : await stored.select(unique.lookup, lookupValues(others, unique.lookup));
    return {
      byKey: new Map(byKey.map((cells) => [keyOf(cells, key), cells])),
      byOther: new Map(byOther.map((cells) => [unique && keyOf(cells, unique), cells])),
    };
  }

  function decide(
    row: SpooledRow,
    { byKey, byOther }: Known,
  ): { kind: keyof Counts; cells: Cells } | undefined {
    const rival = row.other === null ? undefined : byOther.get(row.other);
    const isRivalAnother = rival !== undefined && keyOf(rival, table.key) !== row.key;
    if (isRivalAnother && row.isNamed) {
      faults.add(rivalFault(row, rival));
      return undefined;
    }
    // A row without an id of its own is the one that is stored under another.
    const before = isRivalAnother ? rival : byKey.get(row.key);
    if (before === undefined)
      return { kind: 'new', cells: { ...complete(row.cells), ...row.cells } };
    const cells: Cells = {
      ...before,
      ...row.cells,
      ...(isRivalAnother && { id: rival['id'] ?? null }),
    };
    const isChanged = table.columns.some((column) => cells[column] !== before[column]);
    return { kind: isChanged ? 'changed' : 'unchanged', cells };
  }

  function rivalFault(row: SpooledRow, rival: Cells) {
    const { key, unique } = table;
    const owner = key.columns.map((column) => shown(rival[column])).join(', ');
    return {
      line: row.line,
      field: 'id',
      expected: `one row for the same ${unique?.words}: the workspace has it under the ${key.words} ${owner}`,
      found: row.cells['id'],
    };
  }
}

interface Known {
  readonly byKey: ReadonlyMap<string | undefined, Cells>;
  readonly byOther: ReadonlyMap<string | undefined, Cells>;
}

/** Repeats the last value up to a whole batch, so that the statement stays the same. */
function lookupValues(batch: readonly SpooledRow[], column: string): Scalar[] {
  const values = [...new Set(batch.map(({ cells }) => cells[column] ?? null))];
  const last = values.at(-1);
  if (last === undefined) return [];
  return [...values, ...Array.from({ length: batchRows - values.length }, () => last)];
}
