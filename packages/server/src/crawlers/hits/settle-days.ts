import { recountDay, recountPages } from '../../storage/counts/hit-counts.ts';
import { countedColumns } from '../../storage/counts/hit-changes.ts';
import { pad } from '../../storage/chunks.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { parseAddress } from '../../values/addresses/address.ts';
import { createMemo } from '../../values/memo.ts';
import { dayMs, endOfDay, startOfDay, utcDay } from '../../values/time/utc-day.ts';
import { readCrawlerSettings } from '../settings.ts';
import type { VerdictChange } from './change-count.ts';
import { ownEvidence } from './hit.ts';
import type { Hit } from './hit.ts';
import { addVotes, proofsOf, readProofs, readSites, sumVotes, votingColumns } from './hit-votes.ts';
import { createIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { changeProof } from './mark-days.ts';
import { isOf, refutedReasons } from './reasons.ts';
import { queueHits, recordChanges } from './record-changes.ts';
import { doubtOf, proofDays } from './standing.ts';
import { readVisitors } from './visitor-bits.ts';

/** Hits in one transaction: other writers wait for it. */
const hitsAtOnce = 256;

/**
 * Applies to refuted hits what their sites' proof and their visitors say, in slices: the new ones, and
 * those of marked days. First counts the days again that are marked for it. Hits and days stay marked
 * until they are done, so that neither the order of hits nor an interruption changes the result. Calls
 * `onChange` with the verdicts that change.
 */
export async function settleDays(
  store: Store,
  workspaceId: string,
  { onChange }: { onChange?: (change: VerdictChange) => void } = {},
): Promise<void> {
  const written = await markedDays(store, workspaceId, 'written');
  if (written.length > 0) {
    await writeWorkspace(store, workspaceId, async (transaction) => ({
      hasChanged: await recountPages(store, transaction, workspaceId),
    }));
  }
  for (const mark of written) await recountWritten(store, workspaceId, mark);
  const nearby = await markedDays(store, workspaceId, 'nearby');
  let queued = await firstQueued(store, workspaceId);
  if (nearby.length === 0 && queued === undefined) return;
  const { secret } = await readCrawlerSettings(store, workspaceId);
  const options = { identity: createIdentity(secret), onChange };
  for (const mark of nearby) await settleNearby(store, workspaceId, { ...mark, ...options });
  while (queued !== undefined) {
    await settleQueued(store, workspaceId, { day: queued.day, ...options });
    queued = await firstQueued(store, workspaceId);
  }
}

function markedDays(store: Store, workspaceId: string, state: 'written' | 'nearby') {
  return store.writer
    .selectFrom('unsettled_days')
    .select(['day', 'marks'])
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', state)
    .orderBy('day')
    .execute();
}

function firstQueued(store: Store, workspaceId: string) {
  return store.writer
    .selectFrom('unsettled_hits')
    .select('day')
    .where('workspace_id', '=', workspaceId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Counts the hits and votes of a day again, and leaves its refuted hits to be settled. A mark that is set
 * again meanwhile stays, because the pages must be counted again, too.
 */
async function recountWritten(
  store: Store,
  workspaceId: string,
  { day, marks }: { day: number; marks: number },
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('unsettled_days')
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', day)
      .where('state', '=', 'written')
      .where('marks', '=', marks)
      .executeTakeFirst();
    // Another process counted it, or will.
    if (numDeletedRows === 0n) return { hasChanged: false };
    const siteOf = await readSites(transaction, workspaceId);
    const change = async () => {
      await transaction
        .deleteFrom('hit_votes')
        .where('workspace_id', '=', workspaceId)
        .where('day', '=', day)
        .execute();
      for (let after = startOf(day); ;) {
        const rows = await selectHits(transaction, workspaceId, { day, after })
          .select(['id', 'address', ...votingColumns])
          .execute();
        const changes = rows.map((row) => ({ after: row }));
        await addVotes(store, transaction, sumVotes(workspaceId, changes, siteOf));
        await queueHits(store, transaction, workspaceId, rows);
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last;
      }
    };
    await changeProof(transaction, workspaceId, { from: day, to: day, change });
    const date = utcDay(day * dayMs);
    return { hasChanged: await recountDay(store, transaction, workspaceId, date) };
  });
}

type Place = Pick<Hit, 'hit_at' | 'id'>;

/** The place before the hits of a day. No id sorts after this one. */
function startOf(day: number): Place {
  return { hit_at: startOfDay(utcDay(day * dayMs)), id: '~' };
}

/** The next hits of a day, in order of time. */
function selectHits(
  db: Store['writer'],
  workspaceId: string,
  { day, after }: { day: number; after: Place },
) {
  return db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .where('hit_at', '>=', after.hit_at)
    .where('hit_at', '<', endOfDay(utcDay(day * dayMs)))
    .where((where) => where.or([where('hit_at', '>', after.hit_at), where('id', '<', after.id)]))
    .orderBy('hit_at')
    .orderBy('id', 'desc')
    .limit(hitsAtOnce);
}

/**
 * The refuted hits that a day decides. A hit whose address has been dropped keeps its verdict, and so
 * does one that was read before visitors were looked at.
 */
const isDecided = isOf(...refutedReasons);

interface SettleOptions {
  readonly day: number;
  readonly identity: Identity;
  readonly onChange: ((change: VerdictChange) => void) | undefined;
}

/** Settles the refuted hits of a marked day. A mark that is set meanwhile stays. */
async function settleNearby(
  store: Store,
  workspaceId: string,
  { marks, ...options }: SettleOptions & { readonly marks: number },
): Promise<void> {
  const { day } = options;
  const doubt = await readDoubt(store, workspaceId, options);
  for (let after = startOf(day); ;) {
    const rows = await selectHits(store.writer, workspaceId, { day, after })
      .select(['id', 'hit_at', 'host', 'address', 'overruled_by'])
      .where('address', 'is not', null)
      .where('network', 'is not', null)
      .where(isDecided)
      .execute();
    const wrong = rows.filter((row) => row.overruled_by !== doubt(row));
    await settleHits(store, workspaceId, { ids: wrong.map(({ id }) => id), doubt, ...options });
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last;
  }
  await store.write((transaction) =>
    transaction
      .deleteFrom('unsettled_days')
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', day)
      .where('state', '=', 'nearby')
      .where('marks', '=', marks)
      .execute(),
  );
}

/** Settles the new refuted hits of a day. */
async function settleQueued(
  store: Store,
  workspaceId: string,
  options: SettleOptions,
): Promise<void> {
  const doubt = await readDoubt(store, workspaceId, options);
  for (;;) {
    const rows = await store.writer
      .selectFrom('unsettled_hits')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', options.day)
      .orderBy('id')
      .limit(hitsAtOnce)
      .execute();
    if (rows.length === 0) return;
    await settleHits(store, workspaceId, { ids: rows.map(({ id }) => id), doubt, ...options });
  }
}

type Doubt = (hit: Pick<Hit, 'address' | 'host'>) => Hit['overruled_by'];

/**
 * Reads why the refuted hits of a day are not accused. If that changes meanwhile, the change marks the
 * day.
 */
async function readDoubt(
  { writer }: Store,
  workspaceId: string,
  { day, identity }: SettleOptions,
): Promise<Doubt> {
  const window = { from: day - proofDays, to: day + proofDays };
  const proofs = await readProofs(writer, workspaceId, window);
  const isVisitors = await readVisitors(writer, workspaceId, { day, identity });
  const siteOf = await readSites(writer, workspaceId);
  const doubtOfSite = createMemo((name) => doubtOf(day, proofsOf(name, proofs)));
  return ({ address: text, host }) => {
    const address = parseAddress(text ?? '');
    if (address !== undefined && isVisitors(address)) return 'visitor_address';
    return doubtOfSite(siteOf(host));
  };
}

/** Gives refuted hits of a day their verdicts, and takes them off those to settle. */
async function settleHits(
  store: Store,
  workspaceId: string,
  { day, ids, doubt, onChange }: SettleOptions & { ids: readonly string[]; doubt: Doubt },
): Promise<void> {
  if (ids.length === 0) return;
  const { changes } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const rows = await transaction
      .selectFrom('hits')
      .select(['id', 'address', 'network', 'evidence', 'overruled_by', ...countedColumns])
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', pad(ids))
      .where('address', 'is not', null)
      .where('network', 'is not', null)
      .where(isDecided)
      .execute();
    const wrong = rows.filter((row) => row.overruled_by !== doubt(row));
    for (const [reason, hits] of Map.groupBy(wrong, doubt)) {
      await transaction
        .updateTable('hits')
        .set(verdictOf(reason))
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', pad(hits.map(({ id }) => id)))
        .execute();
    }
    const pairs = wrong.map((row) => ({
      before: row,
      after: { ...row, ...verdictOf(doubt(row)) },
    }));
    await recordChanges(store, transaction, workspaceId, pairs);
    await transaction
      .deleteFrom('unsettled_hits')
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', day)
      .where('id', 'in', pad(ids))
      .execute();
    return { hasChanged: pairs.length > 0, changes: pairs };
  });
  for (const { before, after } of changes) onChange?.(changeOf(before, after));
}

function verdictOf(reason: Hit['overruled_by']): Pick<Hit, 'verification' | 'overruled_by'> {
  return { verification: reason === null ? 'spoofed' : 'unverified', overruled_by: reason };
}

function changeOf(
  {
    bot_name: bot,
    verification: from,
    evidence,
    overruled_by: by,
  }: Pick<Hit, 'bot_name' | 'verification' | 'evidence' | 'overruled_by'>,
  after: Pick<Hit, 'verification' | 'overruled_by'>,
): VerdictChange {
  const own = ownEvidence(evidence)?.reason ?? '';
  const [before, reason] = [by ?? own, after.overruled_by ?? own];
  return { bot, from, to: after.verification, before, reason, hits: 1 };
}
