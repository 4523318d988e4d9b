import type { ExpressionBuilder } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { dayOf } from './identity.ts';
import { redoubtGroups } from './many-operators.ts';
import { groupsOf, settleDay } from './none-verified.ts';

/** Which hits are to go: those that fit everything that is given. */
export interface Removal {
  /** The client's address in its one spelling; only hits that still have theirs are found. */
  readonly address?: string | undefined;
  /** Those that were read without the name of a site. */
  readonly isWithoutHost?: boolean;
  /** Those that were imported as rows, instead of those that were read from a log. */
  readonly isImported?: boolean;
}

/**
 * Removes hits that were read from logs, so that the logs can be read again, and the doubts that they
 * cast on others; or hits that were imported as rows. Only hits of logs have evidence. Returns how many
 * were removed.
 */
export async function removeHits(
  store: Store,
  workspaceId: string,
  { address, isWithoutHost = false, isImported = false }: Removal,
): Promise<number> {
  const isRemoved = (where: ExpressionBuilder<DataTables, 'hits'>) =>
    where.and([
      where('evidence', isImported ? 'is' : 'is not', null),
      ...(address === undefined ? [] : [where('address', '=', address)]),
      ...(isWithoutHost ? [where('host', 'is', null)] : []),
    ]);
  const { removed } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const found = await transaction
      .selectFrom('hits')
      .select(({ fn, val }) => fn<string>('substr', ['hit_at', val(1), val(10)]).as('date'))
      .distinct()
      .where('workspace_id', '=', workspaceId)
      .where(isRemoved)
      .execute();
    const result = await transaction
      .deleteFrom('hits')
      .where('workspace_id', '=', workspaceId)
      .where(isRemoved)
      .executeTakeFirst();
    for (const { date } of found) {
      const day = dayOf(Date.parse(date));
      await redoubtGroups(transaction, workspaceId, groupsOf(day));
      await settleDay(transaction, workspaceId, day);
    }
    const count = Number(result.numDeletedRows);
    return { hasChanged: count > 0, removed: count };
  });
  return removed;
}
