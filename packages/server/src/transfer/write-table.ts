import { setImmediate } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Faults } from '../rows/fault.ts';
import { refuseIfStopped } from '../rows/stop.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Cells } from './cells.ts';
import { decideRow, findKnown } from './decide-row.ts';
import type { Outcome } from './decide-row.ts';
import type { TableSpec } from './resource.ts';
import type { SpoolTable } from './spool.ts';
import { storedRows } from './stored-rows.ts';

/** What became of the rows of a file. */
export type Counts = Readonly<Record<Outcome['kind'], number>>;

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
  const stored = storedRows(transaction, table, { workspaceId, booleans, batchRows });
  const counts = { new: 0, changed: 0, unchanged: 0 };
  const pending: Cells[] = [];
  let done = 0;
  for (const batch of rows.batches(batchRows)) {
    const known = await findKnown(batch, stored, table);
    for (const row of batch) {
      const outcome = decideRow(row, known, { table, complete });
      if ('expected' in outcome) {
        faults.add(outcome);
        continue;
      }
      counts[outcome.kind] += 1;
      if (outcome.kind !== 'unchanged') pending.push(outcome.cells);
    }
    // A batch that is not full is of long rows: they must not pile up.
    const isLong = batch.length < batchRows;
    while (pending.length >= (isLong ? 1 : batchRows)) {
      await stored.upsert(pending.splice(0, batchRows));
    }
    done += batch.length;
    await onProgress(done);
    // A signal is heard between two turns of the event loop only.
    await setImmediate();
    refuseIfStopped(signal);
  }
  await stored.upsert(pending);
  return counts;
}
