import type { Ledger } from '../../storage/store.ts';
import { book } from './budgets.ts';
import { reapTests } from './pay-test.ts';

interface ReapOptions {
  readonly workspaceId: string;
  readonly nowMs: number;
}

/**
 * Ends questions that no process will end any more: a reading whose process died becomes unknown, is
 * charged at its bound, and is never sent again.
 */
export async function reap(ledger: Ledger, { workspaceId, nowMs }: ReapOptions): Promise<void> {
  await reapTests(ledger, nowMs);
  const now = new Date(nowMs).toISOString();
  const lostReadings = await ledger.db
    .selectFrom('readings')
    .select(['id', 'engine', 'day', 'claim', 'bound_micros'])
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'sent')
    .where('lease_until', '<', now)
    .execute();
  for (const { id, engine, day, claim, bound_micros: bound } of lostReadings) {
    const boundMicros = bound ?? 0;
    await ledger.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('readings')
        .set({
          state: 'unknown',
          fault: 'lost',
          cost_micros: boundMicros,
          cost_basis: 'bound',
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', 'sent')
        .where('claim', '=', claim)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const money = { releasedMicros: boundMicros, spentMicros: boundMicros };
      await book(transaction, { workspaceId, engine, day, token: claim }, money);
    });
  }
}
