import { setImmediate as turn } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { HostNames } from '../verify/host-names.ts';
import { createChangeCount } from './change-count.ts';
import type { ChangeCount, VerdictChange } from './change-count.ts';
import { groupOfHit } from './hit.ts';
import type { Hit, StoredVerdict } from './hit.ts';
import { dayOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { createStoredJudge } from './judge-stored.ts';
import { redoubtGroups } from './many-operators.ts';
import { groupsOf, settleDay } from './none-verified.ts';
import { overrule, readOverruled } from './overrule.ts';
import { hasOwnReason, judgedAgain } from './undecided.ts';

export interface VerifiedHits {
  /** Whether some were left as they were because the signal aborted. */
  readonly isStopped: boolean;
  readonly judged: number;
  /** Hits that were read from a log, whose address has been pruned. */
  readonly withoutAddress: number;
  readonly changed: readonly VerdictChange[];
}

export interface VerifyOptions {
  readonly hostNames: HostNames | undefined;
  readonly clock: () => number;
  readonly signal: AbortSignal;
  /** Only hits whose verdict a newer list may change, or all whose address is kept. */
  readonly isUndecidedOnly?: boolean;
  /** Only hits before this moment, as hits have it. */
  readonly before?: string | undefined;
  /** Hits judged in one transaction. */
  readonly sliceHits?: number;
  /** Told after each slice how many hits have been judged. */
  readonly onJudged?: (hits: number) => void;
}

/**
 * Judges again hits whose address is still kept, by the files that are here now: in the order of time, a
 * slice a transaction. A new accusation stays in doubt until its whole day has been judged. What was
 * judged when the signal aborts stays, and a log that is read meanwhile loses nothing.
 */
export async function verifyHits(
  store: Store,
  workspaceId: string,
  options: VerifyOptions,
): Promise<VerifiedHits> {
  const { signal, sliceHits = 5000, onJudged = () => {} } = options;
  const judge = await createStoredJudge(store, workspaceId, options);
  const count = createChangeCount();
  let judged = 0;
  let after: Pick<Hit, 'hit_at' | 'id'> = { hit_at: '', id: '' };
  let day: number | undefined;
  let isStopped = false;
  for (;;) {
    // SQLite answers at once: without a turn of the event loop nobody could stop it.
    await turn();
    const rows = await selectSlice(store, workspaceId, { after, sliceHits, options });
    isStopped = signal.aborted && rows.length > 0;
    if (isStopped) break;
    const owns = await Promise.all(rows.map((row) => judge.ownOf(row)));
    for (const [next, part] of Map.groupBy(rows.keys(), (place) =>
      dayOf(Date.parse(rows[place]?.hit_at ?? '')),
    )) {
      if (day !== undefined && next !== day) await endDay(store, workspaceId, { day, count });
      day = next;
      const judgedRows = part.flatMap((place) => pairOf(rows[place], owns[place]));
      await writeSlice(store, workspaceId, { judgedRows, identity: judge.identity, count });
    }
    judged += rows.length;
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last;
    onJudged(judged);
  }
  if (day !== undefined) await endDay(store, workspaceId, { day, count });
  return {
    isStopped,
    judged,
    withoutAddress: await countPruned(store, workspaceId),
    changed: count.list(),
  };
}

interface JudgedRow {
  readonly row: Hit;
  readonly own: StoredVerdict;
}

function pairOf(row: Hit | undefined, own: StoredVerdict | undefined): JudgedRow[] {
  return row === undefined || own === undefined ? [] : [{ row, own }];
}

function selectSlice(
  { writer }: Store,
  workspaceId: string,
  {
    after,
    sliceHits,
    options: { isUndecidedOnly = false, before },
  }: { after: Pick<Hit, 'hit_at' | 'id'>; sliceHits: number; options: VerifyOptions },
): Promise<readonly Hit[]> {
  return writer
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is not', null)
    .where((where) =>
      where.and([
        where('hit_at', '>=', after.hit_at),
        where.or([where('hit_at', '>', after.hit_at), where('id', '<', after.id)]),
      ]),
    )
    .$if(before !== undefined, (query) => query.where('hit_at', '<', before ?? ''))
    .$if(isUndecidedOnly, (query) => query.where((where) => hasOwnReason(where, judgedAgain)))
    .orderBy('hit_at')
    .orderBy('id', 'desc')
    .limit(sliceHits)
    .execute();
}

async function writeSlice(
  store: Store,
  workspaceId: string,
  {
    judgedRows,
    identity,
    count,
  }: { judgedRows: readonly JudgedRow[]; identity: Identity; count: ChangeCount },
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const stored = await selectEvidence(transaction, workspaceId, judgedRows);
    let hasChanged = false;
    for (const { row, own } of judgedRows) {
      // A log that was read meanwhile has judged it.
      if (stored.get(row.id) !== row.evidence) continue;
      const verdict = doubtful(row, own);
      count.add(row, own, verdict);
      const atMs = Date.parse(row.hit_at);
      const group = groupOfHit({ address: row.address, atMs, verdict: own, identity });
      if (row.evidence === verdict.evidence && row.address_group === group) continue;
      hasChanged = true;
      await transaction
        .updateTable('hits')
        .set({ ...verdict, address_group: group })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.id)
        .execute();
    }
    return { hasChanged };
  });
}

/** What is written first: other hits overrule as before, and a new accusation waits for the day's end. */
function doubtful({ verification, evidence }: Hit, own: StoredVerdict): StoredVerdict {
  const overruled = readOverruled(evidence ?? '');
  if (own.verification === 'spoofed') {
    const isNew = verification !== 'spoofed' && !own.evidence.startsWith('{"reason":"never_sent"');
    return isNew
      ? { verification: 'unverified', evidence: overrule(own.evidence, 'none_verified') }
      : own;
  }
  const isDoubted = overruled?.reason === 'many_operators' && own.verification === 'unverified';
  return isDoubted ? { ...own, evidence: overrule(own.evidence, 'many_operators') } : own;
}

async function selectEvidence(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  judgedRows: readonly JudgedRow[],
): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>();
  for (const piece of inChunks(judgedRows, 128)) {
    const rows = await transaction
      .selectFrom('hits')
      .select(['id', 'evidence'])
      .where('workspace_id', '=', workspaceId)
      .where(
        'id',
        'in',
        piece.map(({ row }) => row.id),
      )
      .execute();
    for (const { id, evidence } of rows) found.set(id, evidence);
  }
  return found;
}

/** Lets the hits of a day that has been judged doubt and excuse each other. */
async function endDay(
  store: Store,
  workspaceId: string,
  { day, count }: { day: number; count: ChangeCount },
): Promise<void> {
  await writeWorkspace(store, workspaceId, async (transaction) => {
    const doubted = await redoubtGroups(transaction, workspaceId, groupsOf(day));
    const { changed, doubtfulSites } = await settleDay(transaction, workspaceId, day);
    count.endDay(doubtfulSites);
    return { hasChanged: doubted + changed > 0 };
  });
}

async function countPruned(store: Store, workspaceId: string): Promise<number> {
  const row = await store.writer
    .selectFrom('hits')
    .select(({ fn }) => fn.countAll<number>().as('hits'))
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is', null)
    .where('address_group', 'is not', null)
    .executeTakeFirstOrThrow();
  return row.hits;
}

/**
 * Judges the hits of every workspace again whose verdict a newer list may change. Returns how many got
 * another verdict.
 */
export async function judgeUndecided(
  store: Store,
  options: Pick<VerifyOptions, 'hostNames' | 'clock' | 'signal'>,
): Promise<number> {
  const workspaces = await store.writer
    .selectFrom('crawler_settings')
    .select('workspace_id')
    .execute();
  let hits = 0;
  for (const { workspace_id: workspaceId } of workspaces) {
    const { changed } = await verifyHits(store, workspaceId, { ...options, isUndecidedOnly: true });
    for (const change of changed) hits += change.hits;
  }
  return hits;
}
