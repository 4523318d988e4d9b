import type { ExpressionBuilder } from 'kysely';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { removeReferrals } from '../referrals/referrals.ts';
import { markDays } from './mark-days.ts';
import { settleDays } from './settle-days.ts';

/** Which hits to remove: those that match all of it. */
export interface Removal {
  /** The client's address in its one spelling. Finds only hits whose address is still stored. */
  readonly address?: string | undefined;
  /** Hits without the name of a site. */
  readonly isWithoutHost?: boolean;
  /** Hits that were imported as rows, instead of hits from logs. */
  readonly isImported?: boolean;
}

/**
 * Removes hits from logs, and with them referrals, which have no address, so that the logs can be read
 * again; or imported hits. Only hits from logs have evidence. Returns how many were removed, or in a
 * dry run would be.
 */
export async function removeHits(
  store: Store,
  workspaceId: string,
  {
    address,
    isWithoutHost = false,
    isImported = false,
    isDryRun = false,
  }: Removal & { readonly isDryRun?: boolean },
): Promise<{ readonly hits: number; readonly referrals: number }> {
  const isRemoved = (where: ExpressionBuilder<DataTables, 'hits'>) =>
    where.and([
      where('evidence', isImported ? 'is' : 'is not', null),
      ...(address === undefined ? [] : [where('address', '=', address)]),
      ...(isWithoutHost ? [where('host', 'is', null)] : []),
    ]);
  const { hits, referrals } = await writeOrTry(store, workspaceId, {
    isDryRun,
    write: async (transaction) => {
      const days = await transaction
        .selectFrom('hits')
        .select(({ fn, val }) => fn<string>('substr', ['hit_at', val(1), val(10)]).as('hit_at'))
        .distinct()
        .where('workspace_id', '=', workspaceId)
        .where(isRemoved)
        .execute();
      await markDays(transaction, workspaceId, days);
      await noteChanges(transaction, workspaceId, { hits: days.map(({ hit_at: day }) => day) });
      const { numDeletedRows } = await transaction
        .deleteFrom('hits')
        .where('workspace_id', '=', workspaceId)
        .where(isRemoved)
        .executeTakeFirst();
      const isOfLogs = address === undefined && !isImported;
      const removed = {
        hits: Number(numDeletedRows),
        referrals: isOfLogs
          ? await removeReferrals(transaction, workspaceId, { isWithoutHost })
          : 0,
      };
      return { hasChanged: removed.hits + removed.referrals > 0, ...removed };
    },
  });
  if (!isDryRun) await settleDays(store, workspaceId);
  return { hits, referrals };
}
