import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { removeBitsBefore } from '../../storage/bits/day-bits.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { HostNames } from '../verify/host-names.ts';
import { dayOf } from './identity.ts';
import { isOf, wantingList } from './reasons.ts';
import { visitedDays } from './visitor-bits.ts';
import { verifyHits } from './verify-hits.ts';

/** More than a year: a pattern may match a year of rotated logs every day. */
const keepLogsDays = 400;
/** Three of the usual windows of gaps. What pages visitors got says nothing about any visitor. */
const keepPathsDays = 90;
/** Days that old addresses may wait for the lists that would decide. */
const waitForListsDays = 90;

/**
 * Drops client addresses that are older than the workspace keeps them, with the request headers and the
 * bits of the visitors around their days. First judges their hits by the lists stored now. An address
 * whose verdict waits for a list stays for up to 90 days, unless the workspace keeps no addresses. A
 * request from the future counts as old, because its age is unknown. Also forgets how far logs were read
 * that have not grown for 400 days, and which pages visitors got more than 90 days ago. Returns how many hits lost their address.
 */
export async function pruneAddresses(
  store: Store,
  workspaceId: string,
  { nowMs, hostNames }: { nowMs: number; hostNames?: HostNames | undefined },
): Promise<number> {
  const { keepAddressesDays } = await readCrawlerSettings(store, workspaceId);
  const before = momentAt(nowMs - keepAddressesDays * dayMs);
  // The clock of the log's server may be a time zone ahead.
  const after = momentAt(nowMs + Math.min(1, keepAddressesDays) * dayMs);
  const isOld = sql<boolean>`address is not null and hit_at < ${before}`;
  const isFuture = sql<boolean>`address is not null and hit_at >= ${after}`;
  if (await hasHit(store.writer, workspaceId, isOld)) {
    const { signal } = new AbortController();
    const options = { hostNames, clock: () => nowMs, signal, isUndecidedOnly: true, before };
    await verifyHits(store, workspaceId, options);
  }
  const { dropped } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const isPatient =
      keepAddressesDays > 0 && (await mayWait(transaction, workspaceId, { isOld, nowMs }));
    const isDropped = isPatient ? sql`${isOld} and not ${waits}` : isOld;
    const { numUpdatedRows } = await transaction
      .updateTable('hits')
      .set({
        address: null,
        signature: null,
        evidence: sql`replace(evidence, '"reason":"list_pending"', '"reason":"list_too_old"')`,
      })
      .where('workspace_id', '=', workspaceId)
      .where(sql<boolean>`(${isFuture} or ${isDropped})`)
      .executeTakeFirst();
    const kept = await transaction
      .selectFrom('hits')
      .select('hit_at')
      .where('workspace_id', '=', workspaceId)
      .where('address', 'is not', null)
      .orderBy('hit_at')
      .limit(1)
      .executeTakeFirst();
    const earliest = kept === undefined || kept.hit_at > before ? before : kept.hit_at;
    await removeBitsBefore(transaction, workspaceId, {
      table: 'visitor_bits',
      day: dayOf(Date.parse(earliest)) - visitedDays,
    });
    await removeBitsBefore(transaction, workspaceId, {
      table: 'path_bits',
      day: dayOf(nowMs) - keepPathsDays,
    });
    await transaction
      .deleteFrom('log_files')
      .where('workspace_id', '=', workspaceId)
      .where('updated_at', '<', momentAt(nowMs - keepLogsDays * dayMs))
      .execute();
    // No response of the API has addresses, so what clients have cached stays valid.
    return { hasChanged: false, dropped: Number(numUpdatedRows) };
  });
  return dropped;
}

type Condition = ReturnType<typeof isOf>;

const waits = isOf(...wantingList);

/** Whether old addresses may still wait for lists. The workspace stores since when any of them waits. */
async function mayWait(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { isOld, nowMs }: { isOld: Condition; nowMs: number },
): Promise<boolean> {
  const isWaiting = await hasHit(transaction, workspaceId, sql`${isOld} and ${waits}`);
  const { waiting_since: since } = await transaction
    .selectFrom('crawler_settings')
    .select('waiting_since')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const isOver = since !== null && nowMs - Date.parse(since) > waitForListsDays * dayMs;
  const now = !isWaiting || isOver ? null : (since ?? momentAt(nowMs));
  if (now !== since) {
    await transaction
      .updateTable('crawler_settings')
      .set({ waiting_since: now })
      .where('workspace_id', '=', workspaceId)
      .execute();
  }
  return !isOver;
}

async function hasHit(
  db: Store['writer'],
  workspaceId: string,
  condition: Condition,
): Promise<boolean> {
  const row = await db
    .selectFrom('hits')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where(condition)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function momentAt(ms: number): string {
  return new Date(ms).toISOString();
}
