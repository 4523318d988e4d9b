import { sql } from 'kysely';
import type { ExpressionBuilder, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { HostNames } from '../verify/host-names.ts';
import { hasOwnReason, wantingList } from './undecided.ts';
import { verifyHits } from './verify-hits.ts';

const dayMs = 86_400_000;
/** Longer than a year of rotated logs, which a pattern may find every day. */
const keepLogsDays = 400;
/** For so long addresses wait for the lists that would decide, once there are any to drop. */
const waitForListsDays = 90;

/**
 * Drops clients' addresses that are older than the workspace keeps them, and the headers that were kept
 * to judge again together with them. Before that their hits are judged by the lists that are here; an
 * address whose verdict waits for a list stays, for 90 days at most, unless the workspace keeps none.
 * The hits stay, and so do their ids: they do not reveal addresses. A request from the future may be of
 * any age: it counts as old. How far a log was read is forgotten when it has not grown for very long.
 * Returns how many hits lost their address.
 */
export async function pruneAddresses(
  store: Store,
  workspaceId: string,
  { nowMs, hostNames }: { nowMs: number; hostNames?: HostNames | undefined },
): Promise<number> {
  const { keepAddressesDays } = await readCrawlerSettings(store, workspaceId);
  const before = momentAt(nowMs - keepAddressesDays * dayMs);
  // A site's clock may be of another zone.
  const after = momentAt(nowMs + Math.min(1, keepAddressesDays) * dayMs);
  const isOld = (where: Where) =>
    where.and([where('address', 'is not', null), where('hit_at', '<', before)]);
  const isOfFuture = (where: Where) =>
    where.and([where('address', 'is not', null), where('hit_at', '>=', after)]);
  const anyOld = await store.writer
    .selectFrom('hits')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(isOld)
    .limit(1)
    .executeTakeFirst();
  if (anyOld !== undefined) {
    const signal = new AbortController().signal;
    const options = { hostNames, clock: () => nowMs, signal, isUndecidedOnly: true, before };
    await verifyHits(store, workspaceId, options);
  }
  const { dropped } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const isPatient =
      keepAddressesDays > 0 && (await mayWait(transaction, workspaceId, { isOld, nowMs }));
    const result = await transaction
      .updateTable('hits')
      .set({
        address: null,
        signature: null,
        evidence: sql`replace(evidence, '"reason":"list_pending"', '"reason":"list_too_old"')`,
      })
      .where('workspace_id', '=', workspaceId)
      .where((where) =>
        where.or([
          isOfFuture(where),
          isPatient ? where.and([isOld(where), where.not(waits(where))]) : isOld(where),
        ]),
      )
      .executeTakeFirst();
    await transaction
      .deleteFrom('log_files')
      .where('workspace_id', '=', workspaceId)
      .where('updated_at', '<', momentAt(nowMs - keepLogsDays * dayMs))
      .execute();
    // No address is in an answer of the API: what clients keep stays valid.
    return { hasChanged: false, dropped: Number(result.numUpdatedRows) };
  });
  return dropped;
}

type Where = ExpressionBuilder<DataTables, 'hits'>;

function waits(where: Where) {
  return hasOwnReason(where, wantingList);
}

/**
 * Whether addresses may still wait for lists: the workspace remembers since when any of them does.
 */
async function mayWait(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { isOld, nowMs }: { isOld: (where: Where) => ReturnType<Where['and']>; nowMs: number },
): Promise<boolean> {
  const waiting = await transaction
    .selectFrom('hits')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(isOld)
    .where(waits)
    .limit(1)
    .executeTakeFirst();
  const { waiting_since: since } = await transaction
    .selectFrom('crawler_settings')
    .select('waiting_since')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const isOver = since !== null && nowMs - Date.parse(since) > waitForListsDays * dayMs;
  const now = waiting === undefined || isOver ? null : (since ?? momentAt(nowMs));
  if (now !== since) {
    await transaction
      .updateTable('crawler_settings')
      .set({ waiting_since: now })
      .where('workspace_id', '=', workspaceId)
      .execute();
  }
  return !isOver;
}

function momentAt(ms: number): string {
  return new Date(ms).toISOString();
}
