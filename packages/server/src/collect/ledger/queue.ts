import type { Ledger } from '../../storage/store.ts';
import { contentId } from '../../values/uuid.ts';
import type { ReadingRow } from './claim.ts';

const rowsMax = 64;

/** Selects the planned readings of an engine that may be asked now. */
interface DueCondition {
  readonly day: string;
  readonly dueAt: string;
  /** Sweeps up to this one may be asked even if they are not due. */
  readonly sweepMax?: number;
}

/**
 * Hands each planned reading of one engine to one of this process's workers. Reads some ahead. Other
 * processes may claim them first.
 */
export function createQueue(
  { db }: Ledger,
  { workspaceId, engine }: { workspaceId: string; engine: string },
  due: () => DueCondition,
) {
  let readings: ReadingRow[] = [];
  let reading: Promise<void> | undefined;
  return { next };

  async function next(): Promise<ReadingRow | undefined> {
    if (readings.length === 0) {
      reading ??= fill().finally(() => (reading = undefined));
      await reading;
    }
    return readings.shift();
  }

  async function fill(): Promise<void> {
    const { day, dueAt, sweepMax = -1 } = due();
    const rows = await db
      .selectFrom('readings')
      .select(['workspace_id', 'id', 'prompt_id', 'engine', 'day', 'sweep', 'attempts'])
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'planned')
      .where('engine', '=', engine)
      .where('day', '=', day)
      // Readings of past days that were missed stay planned, and the index begins with theirs.
      .where('due_at', '>=', day)
      .where((row) => row.or([row('due_at', '<=', dueAt), row('sweep', '<=', sweepMax)]))
      .orderBy('due_at')
      .limit(rowsMax)
      .execute();
    // Each process uses a different order, so that they do not all claim the same readings.
    const salt = `${process.pid}`;
    const orders = new Map(rows.map(({ id }) => [id, contentId('order', [salt, id])]));
    readings = rows.toSorted((left, right) =>
      (orders.get(left.id) ?? '') < (orders.get(right.id) ?? '') ? -1 : 1,
    );
  }
}
