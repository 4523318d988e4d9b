import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import { inChunks, pad } from '../../storage/chunks.ts';
import { deriveHitCounts } from '../../storage/counts/hit-counts.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { parseAddress } from '../../values/addresses/address.ts';
import { createMemo } from '../../values/memo.ts';
import { dayMs, endOfDay, startOfDay, utcDay } from '../../values/time/utc-day.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { VerdictChange } from './change-count.ts';
import { ownEvidence } from './hit.ts';
import type { Hit } from './hit.ts';
import { countVotes, isRefuted, proofsOf, readProofs, siteOfHost } from './hit-votes.ts';
import { createIdentity, dayOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { doubtOf, proofDays } from './standing.ts';
import { readVisitors } from './visitor-bits.ts';

const daysAtOnce = 128;
/** Refuted hits looked at in one statement. */
const hitsAtOnce = 512;

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
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'day']).doUpdateSet({ state: 'written' }),
      )
      .execute();
  }
}

/**
 * Applies to each marked day what its sites' proof and its visitors say of refuted hits, and counts its
 * hits: one transaction a day, so that neither the order of hits nor an interruption changes the result.
 * Proof of all days is counted before any verdict, because it reaches 30 days to either side. Calls
 * `onChange` with the verdicts that change.
 */
export async function settleDays(
  store: Store,
  workspaceId: string,
  { onChange }: { onChange?: (change: VerdictChange) => void } = {},
): Promise<void> {
  for (const { day, state } of await markedDays(store, workspaceId)) {
    if (state === 'written') await countProof(store, workspaceId, day);
  }
  const marked = await markedDays(store, workspaceId);
  if (marked.length === 0) return;
  const { secret } = await readCrawlerSettings(store, workspaceId);
  const identity = createIdentity(secret);
  for (const { day, state } of marked) {
    if (state !== 'written') await settleDay(store, workspaceId, { day, identity, onChange });
  }
}

function markedDays(store: Store, workspaceId: string) {
  return store.writer
    .selectFrom('unsettled_days')
    .select(['day', 'state'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .execute();
}

/** Counts the verified votes of a day, and marks the days whose refuted hits they decide. */
async function countProof(store: Store, workspaceId: string, day: number): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const window = { from: day - 2 * proofDays, to: day + 2 * proofDays };
    const before = await readProofs(transaction, workspaceId, window);
    const ofDay = isOfDay(workspaceId, day);
    await countVotes(transaction, workspaceId, { day, ofDay, verdict: 'verified' });
    const after = await readProofs(transaction, workspaceId, window);
    const refuted = isDeepStrictEqual(before, after)
      ? []
      : await selectRefutedVotes(transaction, workspaceId, {
          from: day - proofDays,
          to: day + proofDays,
        });
    const nearby = refuted.filter(
      ({ site, day: other }) =>
        doubtOf(other, proofsOf(site, before)) !== doubtOf(other, proofsOf(site, after)),
    );
    await markNearby(transaction, workspaceId, new Set(nearby.map((vote) => vote.day)));
    await transaction
      .updateTable('unsettled_days')
      .set({ state: 'counted' })
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', day)
      .execute();
    return { hasChanged: false };
  });
}

/** The days, from one to another, with refuted hits that no visitor excuses, and their sites. */
function selectRefutedVotes(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { from, to }: { from: number; to: number },
) {
  return transaction
    .selectFrom('hit_votes')
    .select(['day', 'site'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('verdict', '=', 'refuted')
    .execute();
}

/** Marks days whose hits did not change, but what decides them. */
async function markNearby(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: ReadonlySet<number>,
): Promise<void> {
  for (const chunk of inChunks([...days], daysAtOnce)) {
    await transaction
      .insertInto('unsettled_days')
      .values(chunk.map((day) => ({ workspace_id: workspaceId, day, state: 'nearby' })))
      .onConflict((conflict) => conflict.columns(['workspace_id', 'day']).doNothing())
      .execute();
  }
}

/** Marks the days of new visitors whose refuted hits they may excuse. */
export async function markVisited(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly number[],
): Promise<void> {
  for (const day of days) {
    const refuted = await selectRefutedVotes(transaction, workspaceId, { from: day, to: day });
    if (refuted.length > 0) await markNearby(transaction, workspaceId, new Set([day]));
  }
}

interface SettleOptions {
  readonly day: number;
  readonly identity: Identity;
  readonly onChange: ((change: VerdictChange) => void) | undefined;
}

async function settleDay(
  store: Store,
  workspaceId: string,
  { day, identity, onChange }: SettleOptions,
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const marks = await transaction
      .deleteFrom('unsettled_days')
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', day)
      .where('state', '<>', 'written')
      .returning('state')
      .execute();
    const [mark] = marks;
    // Another process settled the day, or wrote more hits of it.
    if (mark === undefined) return { hasChanged: false };
    const hasVerdicts = await settleHits(transaction, workspaceId, { day, identity, onChange });
    if (mark.state === 'nearby' && !hasVerdicts) return { hasChanged: false };
    const ofDay = isOfDay(workspaceId, day);
    await countVotes(transaction, workspaceId, { day, ofDay, verdict: 'refuted' });
    await countVotes(transaction, workspaceId, { day, ofDay, verdict: 'shared' });
    const hasCounts = await deriveHitCounts(transaction, workspaceId, [utcDay(day * dayMs)]);
    return { hasChanged: hasVerdicts || hasCounts };
  });
}

type RefutedHit = Pick<
  Hit,
  'id' | 'hit_at' | 'bot_name' | 'address' | 'verification' | 'evidence' | 'overruled_by'
> & { readonly site: string };

/**
 * Gives the refuted hits of a day their verdicts. A hit whose address has been dropped keeps its own, and
 * so does one that was read before visitors were looked at. Returns whether anything changed.
 */
async function settleHits(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { day, identity, onChange }: SettleOptions,
): Promise<boolean> {
  const window = { from: day - proofDays, to: day + proofDays };
  const proofs = await readProofs(transaction, workspaceId, window);
  const isVisitors = await readVisitors(transaction, workspaceId, { day, identity });
  const site = await siteOfHost(transaction, workspaceId);
  const doubtOfSite = createMemo((name) => doubtOf(day, proofsOf(name, proofs)));
  let hasChanged = false;
  for (let after = { hit_at: '', id: '' }; ;) {
    const rows = await selectRefuted(transaction, after, {
      ofDay: isOfDay(workspaceId, day),
      site,
    });
    const wrong = rows.filter((row) => row.overruled_by !== doubt(row));
    for (const [reason, hits] of Map.groupBy(wrong, doubt)) {
      const verification = reason === null ? 'spoofed' : 'unverified';
      await transaction
        .updateTable('hits')
        .set({ verification, overruled_by: reason })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', pad(hits.map(({ id }) => id)))
        .execute();
      for (const row of hits) onChange?.(changeOf(row, { verification, overruled_by: reason }));
    }
    hasChanged ||= wrong.length > 0;
    const last = rows.at(-1);
    if (last === undefined || rows.length < hitsAtOnce) return hasChanged;
    after = last;
  }

  function doubt(row: RefutedHit): Hit['overruled_by'] {
    const address = parseAddress(row.address ?? '');
    if (address !== undefined && isVisitors(address)) return 'visitor_address';
    return doubtOfSite(row.site);
  }
}

function changeOf(
  { bot_name: bot, verification: from, evidence, overruled_by: by }: RefutedHit,
  after: Pick<Hit, 'verification' | 'overruled_by'>,
): VerdictChange {
  const own = ownEvidence(evidence)?.reason ?? '';
  const [before, reason] = [by ?? own, after.overruled_by ?? own];
  return { bot, from, to: after.verification, before, reason, hits: 1 };
}

async function selectRefuted(
  transaction: Transaction<DataTables>,
  after: Pick<Hit, 'hit_at' | 'id'>,
  { ofDay, site }: { ofDay: RawBuilder<boolean>; site: RawBuilder<string> },
): Promise<readonly RefutedHit[]> {
  return transaction
    .selectFrom('hits')
    .select(['id', 'hit_at', 'bot_name', 'address', 'verification', 'evidence', 'overruled_by'])
    .select(site.as('site'))
    .where(ofDay)
    .where('hit_at', '>=', after.hit_at)
    .where((where) => where.or([where('hit_at', '>', after.hit_at), where('id', '<', after.id)]))
    .where('address', 'is not', null)
    .where('network', 'is not', null)
    .where(isRefuted)
    .orderBy('hit_at')
    .orderBy('id', 'desc')
    .limit(hitsAtOnce)
    .execute();
}

function isOfDay(workspaceId: string, day: number): RawBuilder<boolean> {
  const date = utcDay(day * dayMs);
  return sql<boolean>`workspace_id = ${workspaceId} and hit_at >= ${startOfDay(date)} and hit_at < ${endOfDay(date)}`;
}
