import type { Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import { deriveHitCounts } from '../../storage/rollups/hit-counts.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { dayMs, utcDay } from '../../values/time/utc-day.ts';
import type { VerdictChange } from './change-count.ts';
import type { Hit } from './hit.ts';
import { dayOf } from './identity.ts';
import { overruleHits } from './overrule-hits.ts';

const daysAtOnce = 128;

/** Marks the days of hits that were written, in the same transaction. */
export async function markDays(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  moments: ReadonlyArray<Pick<Hit, 'hit_at'>>,
): Promise<void> {
  const days = new Set(moments.map(({ hit_at: at }) => dayOf(Date.parse(at))));
  for (const chunk of inChunks([...days], daysAtOnce)) {
    await transaction
      .insertInto('unsettled_days')
      .values(chunk.map((day) => ({ workspace_id: workspaceId, day })))
      .onConflict((conflict) => conflict.columns(['workspace_id', 'day']).doNothing())
      .execute();
  }
}

/**
 * Applies the rules over several hits to each marked day and counts its hits, one transaction a day, so
 * that neither the order of hits nor an interruption changes the result. Calls `onChange` with the
 * verdicts that the rules change.
 */
export async function settleDays(
  store: Store,
  workspaceId: string,
  { onChange }: { onChange?: (change: VerdictChange) => void } = {},
): Promise<void> {
  const marked = await store.writer
    .selectFrom('unsettled_days')
    .select('day')
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .execute();
  for (const { day } of marked) {
    await writeWorkspace(store, workspaceId, async (transaction) => {
      await transaction
        .deleteFrom('unsettled_days')
        .where('workspace_id', '=', workspaceId)
        .where('day', '=', day)
        .execute();
      const hasVerdicts = await overruleHits(transaction, workspaceId, { day, onChange });
      const hasCounts = await deriveHitCounts(transaction, workspaceId, [utcDay(day * dayMs)]);
      return { hasChanged: hasVerdicts || hasCounts };
    });
  }
}
