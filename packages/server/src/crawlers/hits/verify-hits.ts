import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Bot } from '../bots/catalogue.ts';
import { readWorkspaceBots } from '../bots/workspace-bots.ts';
import { readFileVersions } from '../ranges/operator-files.ts';
import { readCrawlerSettings } from '../settings.ts';
import { nameFoundBefore } from '../verify/host-names.ts';
import type { HostNames } from '../verify/host-names.ts';
import { judgeTogether } from '../verify/many-operators.ts';
import type { Verdict } from '../verify/verdict.ts';
import { createVerifier } from '../verify/verifier.ts';
import type { Verifier } from '../verify/verifier.ts';
import { ownVerdict, readSigned } from './hit.ts';
import type { Hit } from './hit.ts';
import { createIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { selectPrunedNeighbours, updateVerdicts } from './judge-neighbours.ts';
import type { JudgedRow } from './judge-neighbours.ts';
import { readProxies } from './kept-sample.ts';
import { isProxied } from './proxied.ts';
import { isIn, timeSlices, withNeighbours } from './time-slices.ts';
import type { TimeSlice } from './time-slices.ts';

/** Hits of one bot whose verdict went from one to another for one reason. */
export interface VerdictChange {
  readonly bot: string;
  readonly from: Hit['verification'];
  readonly to: Hit['verification'];
  readonly reason: string;
  readonly hits: number;
}

export interface VerifiedHits {
  /** Whether some were left as they were because the signal aborted. */
  readonly isStopped: boolean;
  readonly judged: number;
  /** Hits that were read from a log, whose address has been pruned. */
  readonly withoutAddress: number;
  readonly changed: readonly VerdictChange[];
}

/**
 * Judges again every hit whose address is still kept, by the files that are here now: in the order of
 * time, a slice a transaction, each together with the neighbours that it has in time. What was judged
 * when the signal aborts stays, and a log that is read meanwhile changes nothing.
 */
export async function verifyHits(
  store: Store,
  workspaceId: string,
  {
    hostNames,
    clock,
    signal,
    sliceHits = 5000,
    onJudged = () => {},
  }: {
    hostNames: HostNames | undefined;
    clock: () => number;
    signal: AbortSignal;
    /** Hits judged in one transaction, or some more. */
    sliceHits?: number;
    /** Told after each slice how many hits have been judged. */
    onJudged?: (hits: number) => void;
  },
): Promise<VerifiedHits> {
  const judges = await loadJudges(store, workspaceId, { hostNames, clock });
  const changes = new Map<string, VerdictChange>();
  let judged = 0;
  let isStopped = false;
  for await (const slice of timeSlices(store.writer, workspaceId, { hitsMax: sliceHits })) {
    // SQLite answers at once: without a turn of the event loop nobody could stop it.
    await turn();
    isStopped = signal.aborted;
    if (isStopped) break;
    const owns = await judgeOwn(store, workspaceId, { slice, judges });
    const written = await writeWorkspace(store, workspaceId, async (transaction) => {
      const verdicts = await judgeSlice(transaction, workspaceId, { slice, judges, owns });
      const changed = await updateVerdicts(transaction, workspaceId, verdicts);
      for (const { row, verdict } of changed) {
        if (row.verification !== verdict.verification) count(changes, row, verdict);
      }
      return { hasChanged: changed.length > 0, judged: verdicts.length };
    });
    judged += written.judged;
    onJudged(judged);
  }
  return {
    isStopped,
    judged,
    withoutAddress: await countPruned(store, workspaceId),
    changed: [...changes.entries()]
      .toSorted(
        ([left, { hits: fewer }], [right, { hits }]) => hits - fewer || (left < right ? -1 : 1),
      )
      .map(([, change]) => change),
  };
}

/** What the hits are judged by. */
interface Judges {
  readonly bots: ReadonlyMap<string, Bot>;
  readonly verifier: Verifier;
  readonly identity: Identity;
}

async function loadJudges(
  store: Store,
  workspaceId: string,
  { hostNames, clock }: { hostNames: HostNames | undefined; clock: () => number },
): Promise<Judges> {
  const { secret } = await readCrawlerSettings(store, workspaceId);
  const bots = await readWorkspaceBots(store.writer, workspaceId);
  const files = await readFileVersions(store.writer);
  return {
    bots: new Map(bots.map((bot) => [bot.token, bot])),
    verifier: createVerifier({ files, bots, hostNames, clock }),
    identity: createIdentity(secret),
  };
}

/**
 * The verdicts of a slice's hits, and of their later neighbours, each by itself; by their ids. Found
 * before the transaction: nobody waits for name servers.
 */
async function judgeOwn(
  { writer }: Store,
  workspaceId: string,
  { slice, judges }: { slice: TimeSlice; judges: Judges },
): Promise<ReadonlyMap<string, Verdict>> {
  const { to } = withNeighbours(slice);
  const rows = await selectHits(writer, workspaceId, { from: slice.from, to });
  const owns = await Promise.all(rows.map((row) => judgeRow(row, judges)));
  return new Map(
    rows.flatMap(({ id }, place) => {
      const own = owns[place];
      return own === undefined ? [] : [[id, own] as const];
    }),
  );
}

/** Judges a slice together with all that is there by now: a log may have been read meanwhile. */
async function judgeSlice(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    slice,
    judges: { identity },
    owns,
  }: { slice: TimeSlice; judges: Judges; owns: ReadonlyMap<string, Verdict> },
): Promise<Array<JudgedRow<Hit>>> {
  const rows = await selectHits(transaction, workspaceId, withNeighbours(slice));
  const proxies = await readProxies(transaction, workspaceId);
  const known = rows.flatMap((row) => {
    // What was before the slice, or has come meanwhile, has its verdict already.
    const own = owns.get(row.id) ?? ownVerdict(row);
    return own === undefined ? [] : { row, own, isProxied: isProxied(row, { identity, proxies }) };
  });
  const pruned = await selectPrunedNeighbours(transaction, workspaceId, { hits: rows, identity });
  return [...Map.groupBy(known, ({ row }) => row.address)].flatMap(([address, own]) =>
    judgeClaims([...own, ...(pruned.get(address ?? '') ?? []).flatMap(keptClaim)]).filter(
      ({ row }) => isIn(slice, row.hit_at),
    ),
  );
}

interface ClaimedRow {
  readonly row: Hit;
  readonly own: Verdict;
  readonly isProxied: boolean;
}

/** A hit whose address has been pruned still is a neighbour. */
function keptClaim(row: Hit): ClaimedRow[] {
  const own = ownVerdict(row);
  return own === undefined ? [] : [{ row, own, isProxied: false }];
}

function judgeClaims(claims: readonly ClaimedRow[]): Array<JudgedRow<Hit>> {
  const verdicts = judgeTogether(
    claims.map(({ row, own, isProxied: through }) => ({
      id: row.id,
      operator: row.bot_company,
      atMs: Date.parse(row.hit_at),
      own,
      isProxied: through,
    })),
  );
  return claims.flatMap(({ row }, index) => {
    const verdict = verdicts[index];
    // Without its address a hit cannot be judged by itself again.
    return verdict === undefined || row.address === null ? [] : [{ row, verdict }];
  });
}

/** Of a bot that the catalogue has dropped the old verdict stays. */
async function judgeRow(row: Hit, { bots, verifier }: Judges): Promise<Verdict | undefined> {
  const bot = bots.get(row.bot_name);
  const before = ownVerdict(row);
  if (bot === undefined) return before;
  const signed = readSigned(row.signature);
  const request = {
    bot,
    address: row.address,
    atMs: Date.parse(row.hit_at),
    method: row.method,
    target: signed?.target ?? row.path,
    signature: signed,
    knownName: nameFoundBefore(before?.evidence, bot),
  };
  return verifier.judgeWithNames(request, verifier.judge(request));
}

function selectHits(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to }: TimeSlice,
): Promise<readonly Hit[]> {
  return db
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('address', 'is not', null)
    .where('hit_at', '>=', from)
    .$if(to !== undefined, (query) => query.where('hit_at', '<=', to ?? ''))
    .execute();
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

function count(changes: Map<string, VerdictChange>, row: Hit, verdict: Verdict): void {
  const { bot_name: bot, verification: from } = row;
  const { verification: to, evidence } = verdict;
  const key = [bot, from, to, evidence.reason].join(' ');
  const hits = (changes.get(key)?.hits ?? 0) + 1;
  changes.set(key, { bot, from, to, reason: evidence.reason, hits });
}
