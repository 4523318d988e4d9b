import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Bot } from '../bots/catalogue.ts';
import type { Hit, SignedRequest } from '../hits/hit.ts';
import { periodOf } from '../hits/identity.ts';
import type { Identity } from '../hits/identity.ts';
import { judgeNeighbours, judgeTipped } from '../hits/judge-neighbours.ts';
import { isProxied, storedThrough } from '../hits/proxied.ts';
import type { Proxies } from '../hits/find-proxies.ts';
import { addToSample } from '../hits/kept-sample.ts';
import type { SampledLine } from '../hits/line-sample.ts';
import { writeHits } from '../hits/write-hits.ts';
import type { WrittenHits } from '../hits/write-hits.ts';
import type { LogLine, SignatureHeaders } from '../log-line.ts';
import { coversQuery } from '../verify/web-bot-auth.ts';
import type { Verdict } from '../verify/verdict.ts';
import type { Request, Verifier } from '../verify/verifier.ts';
import { gatherChanges } from './gather-changes.ts';
import { keepLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import type { Tally } from './summary.ts';
import { settleTornHits } from './torn-lines.ts';
import type { TornHit } from './torn-lines.ts';

/** Hits that wait for the next transaction. */
export interface Batch {
  /** Takes a hit; `torn` is what its line is known again by, where that has no newline yet. Returns its id. */
  add(found: {
    bot: Bot;
    line: LogLine;
    address: string | null;
    torn?: string | undefined;
  }): string;
  readonly isEmpty: boolean;
  /** Whether it is time to write. */
  readonly isFull: boolean;
  /**
   * Writes what has been taken, together with how far the log has been read. Where that is not kept,
   * hits of torn lines are left out: nobody would take them back.
   */
  flush(end?: BatchEnd): Promise<void>;
}

/** What is kept together with a batch's hits. */
export interface BatchEnd {
  readonly state?: LogState | undefined;
  /** Hits that were made of half a line, which has been read whole. */
  readonly completed?: readonly string[] | undefined;
  /** A sample of the lines read since the last batch, by which proxies are found. */
  readonly seen?: readonly SampledLine[] | undefined;
}

/** What every batch of an ingest shares. */
export interface BatchContext {
  readonly store: Store;
  readonly workspaceId: string;
  readonly identity: Identity;
  readonly verifier: Verifier;
  readonly keepsQuery: boolean;
  readonly clock: () => number;
  readonly tally: Tally;
}

interface Candidate {
  readonly hit: Hit;
  readonly torn: string | undefined;
  /** What is looked up before it is written, where a host name may decide. */
  readonly open: { readonly request: Request; readonly verdict: Verdict } | undefined;
}

/**
 * Hits a transaction: other writers wait for it, some tenths of a second. With fewer, the pages of the
 * index by id, which are hit anywhere, are written more often.
 */
export const batchHits = 8000;
/** The length of what clients sent as long as they liked. Of usual hits it is a quarter. */
const batchLength = 1 << 22;

/** Gathers hits and writes them in one transaction at a time. */
export function createBatch(context: BatchContext): Batch {
  const { store, workspaceId, identity, verifier, clock, tally } = context;
  let candidates: Candidate[] = [];
  let length = 0;
  return {
    add,
    flush,
    get isEmpty() {
      return candidates.length === 0;
    },
    get isFull() {
      return candidates.length >= batchHits || length >= batchLength;
    },
  };

  function add({
    bot,
    line,
    address,
    torn,
  }: {
    bot: Bot;
    line: LogLine;
    address: string | null;
    torn?: string | undefined;
  }): string {
    const request = { ...line, bot, address };
    const verdict = verifier.judge(request);
    const hit = makeHit(request, { line, verdict, context });
    const open = verifier.wantsNames(request, verdict) ? { request, verdict } : undefined;
    candidates.push({ hit, torn, open });
    length += line.target.length + line.userAgent.length + (hit.signature?.length ?? 0);
    return hit.id;
  }

  async function flush({ state, completed = [], seen = [] }: BatchEnd = {}): Promise<void> {
    const taken = candidates.filter((one) => state !== undefined || one.torn === undefined);
    candidates = [];
    length = 0;
    const hits = await finish(taken);
    const torn = taken.flatMap(({ hit: { id }, torn: half }) =>
      half === undefined ? [] : { id, torn: half },
    )[0];
    const isWhole = oneOf(() =>
      taken.filter((one) => one.torn === undefined).map(({ hit }) => hit),
    );
    const isNothing = hits.length + seen.length + completed.length === 0;
    if (isNothing && state === undefined) return;
    const { written, changed, proxies } = await writeWorkspace(
      store,
      workspaceId,
      async (transaction) => {
        const { left, hasWithdrawn } = await settleTornHits(transaction, workspaceId, {
          completed,
          isWhole,
          torn: torn?.id,
        });
        const { before, after } = await addToSample(transaction, workspaceId, seen);
        const known = { identity, proxies: after };
        const result = await writeHits(
          transaction,
          workspaceId,
          hits.map((hit) => storedThrough(hit, known)),
        );
        const classes = after.differences(before);
        const isOwn = oneOf(() => [...result.added, ...result.known]);
        const judged = gatherChanges((id) => tally.remembers(id) || isOwn(id));
        const onChanged = judged.add;
        await judgeTipped(transaction, workspaceId, { ...known, classes, onChanged });
        judged.add(
          await judgeNeighbours(transaction, workspaceId, { ...known, hits: result.added }),
        );
        if (state !== undefined) {
          await keepLogState(transaction, workspaceId, {
            state,
            // A hit that a whole line has made is not taken back with the half of another.
            torn: isTornAlone(torn, { left, isWhole, written: result }) ? torn : undefined,
            nowMs: clock(),
          });
        }
        const hasChanged =
          hasWithdrawn || result.added.length + result.changed > 0 || !judged.isEmpty;
        return { hasChanged, written: result, changed: judged, proxies: after };
      },
    );
    for (const hit of written.added) tally.hit(hit, true);
    for (const hit of written.known) tally.hit(hit, false);
    tally.change(changed);
    tally.endBatch();
    tellProxies([...written.added, ...written.known], proxies);
  }

  /** An address with a hit that is verified is an operator's. */
  function tellProxies(hits: readonly Hit[], proxies: Proxies): void {
    tally.forgetProxies((addressClass) => !proxies.classes.has(addressClass));
    const known = { identity, proxies };
    const verified = new Set(
      hits.flatMap(({ address, verification }) => (verification === 'verified' ? address : [])),
    );
    for (const hit of hits) {
      const { address } = hit;
      if (address === null || verified.has(address) || !isProxied(hit, known)) continue;
      tally.proxy(address, identity.classOf('address', address));
    }
  }

  /** The hits with the verdicts that host names give them. Most have theirs, and wait for nothing. */
  async function finish(taken: readonly Candidate[]): Promise<readonly Hit[]> {
    const hits = taken.map(({ hit }) => hit);
    const asked: Array<Promise<void>> = [];
    for (const [place, { hit, open }] of taken.entries()) {
      if (open === undefined) continue;
      const named = verifier.judgeWithNames(open.request, open.verdict);
      asked.push(named.then((verdict) => void (hits[place] = { ...hit, ...stored(verdict) })));
    }
    await Promise.all(asked);
    return hits;
  }
}

/** Tells whether an id is one of the hits'. Nearly always nobody asks. */
function oneOf(hits: () => ReadonlyArray<Pick<Hit, 'id'>>): (id: string) => boolean {
  let ids: ReadonlySet<string> | undefined;
  return (id) => (ids ??= new Set(hits().map((hit) => hit.id))).has(id);
}

/** Whether a torn line alone makes its hit. */
function isTornAlone(
  torn: TornHit | undefined,
  {
    left,
    isWhole,
    written,
  }: { left: ReadonlySet<string>; isWhole: (id: string) => boolean; written: WrittenHits },
): boolean {
  if (torn === undefined || isWhole(torn.id)) return false;
  return left.has(torn.id) || written.added.some(({ id }) => id === torn.id);
}

function makeHit(
  { bot, address, atMs }: Request,
  {
    line,
    verdict,
    context: { identity, keepsQuery },
  }: { line: LogLine; verdict: Verdict; context: BatchContext },
): Hit {
  const { verification, evidence } = stored(verdict);
  return {
    id: identity.hitId(line, address),
    bot_name: bot.token,
    bot_company: bot.company,
    category: bot.category,
    path: keepsQuery ? line.target : withoutQuery(line.target),
    method: line.method,
    status: line.status,
    verification,
    hit_at: new Date(atMs).toISOString(),
    host: line.host,
    address,
    address_group: address === null ? null : identity.addressGroup(address, periodOf(atMs)),
    user_agent: line.userAgent,
    signature: line.signature === null ? null : JSON.stringify(signedRequest(line.signature, line)),
    evidence,
  };
}

/** A verdict as it is stored. */
function stored({ verification, evidence }: Verdict): Pick<Hit, 'verification' | 'evidence'> {
  return { verification, evidence: JSON.stringify(evidence) };
}

/** A query is kept only where it is needed to verify the signature again. */
function signedRequest(signature: SignatureHeaders, { target }: LogLine): SignedRequest {
  return { ...signature, target: coversQuery(signature) ? target : withoutQuery(target) };
}

/** A query may hold what a person typed. */
function withoutQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end) || '/';
}
