import type { Transaction } from 'kysely';
import type { DataTables } from '../schema.ts';

/** Marks every day whose verdicts depend on the own sites, in the transaction that changes them. */
export async function unsettleDays(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  await transaction
    .insertInto('unsettled_days')
    .columns(['workspace_id', 'day'])
    .expression((query) =>
      query
        .selectFrom('hit_votes')
        .select(['workspace_id', 'day'])
        .distinct()
        .where('workspace_id', '=', workspaceId),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'day']).doUpdateSet({ state: 'written' }),
    )
    .execute();
}
