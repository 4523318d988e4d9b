import type { Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeBetweenRevisions } from '../../storage/write.ts';
import type { Bot } from '../bots/catalogue.ts';
import { groupOfHit, storedVerdict, writeHeaders } from '../hits/hit.ts';
import type { Hit } from '../hits/hit.ts';
import type { Identity } from '../hits/identity.ts';
import type { ManyOperators } from '../hits/many-operators.ts';
import type { NoneVerified } from '../hits/none-verified.ts';
import { writeHits } from '../hits/write-hits.ts';
import type { LogLine } from '../log-line.ts';
import { coversQuery } from '../verify/web-bot-auth.ts';
import type { Verdict } from '../verify/verdict.ts';
import type { Request, Verifier } from '../verify/verifier.ts';
import type { Client } from './client-address.ts';
import { keepLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import type { Tally } from './summary.ts';

/** A line that claims to be a bot's, and who sent it. */
interface ReadHit {
  readonly bot: Bot;
  readonly line: LogLine;
  readonly client: Client;
}

type HitRequest = Request & Pick<LogLine, 'host' | 'status'>;

/** Hits that wait for the next transaction. */
export interface Batch {
  add(hit: ReadHit): void;
  readonly isEmpty: boolean;
  /** Whether it is time to write. */
  readonly isFull: boolean;
  /** Writes the hits, together with how far the log has been read if that is to be kept. */
  flush(state?: LogState): Promise<void>;
}

/** What every batch of an ingest shares. */
export interface BatchContext {
  readonly store: Store;
  readonly workspaceId: string;
  readonly identity: Identity;
  readonly verifier: Verifier;
  readonly manyOperators: ManyOperators;
  readonly noneVerified: NoneVerified;
  readonly keepsQuery: boolean;
  readonly clock: () => number;
  readonly tally: Tally;
}

interface Candidate {
  readonly hit: Hit;
  /** What is looked up before it is written, if a host name may decide. */
  readonly open: { readonly request: HitRequest; readonly verdict: Verdict } | undefined;
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
  const { store, workspaceId, verifier, manyOperators, noneVerified, clock, tally } = context;
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

  function add({ bot, line, client }: ReadHit): void {
    const { atMs, method, target, signature, userAgent, host, status } = line;
    const said = { atMs, method, target, signature, userAgent, host, status };
    const request: HitRequest = { ...said, bot, ...client };
    const verdict = verifier.judge(request);
    const hit = makeHit(request, verdict, context);
    const open = verifier.wantsNames(request, verdict) ? { request, verdict } : undefined;
    candidates.push({ hit, open });
    length += line.target.length + line.userAgent.length + (hit.signature?.length ?? 0);
  }

  async function flush(state?: LogState): Promise<void> {
    const taken = candidates;
    candidates = [];
    length = 0;
    if (taken.length === 0 && state === undefined) return;
    const hits = await finish(taken);
    const write = async (transaction: Transaction<DataTables>, before: string) => {
      noneVerified.begin(before);
      const doubted = await manyOperators.doubt(transaction, workspaceId, hits);
      const withheld = noneVerified.withhold(doubted.hits);
      const written = await writeHits(store, transaction, workspaceId, withheld);
      const touched = [...written.added, ...written.changed];
      const settled = await noneVerified.settle(transaction, workspaceId, touched, manyOperators);
      if (state !== undefined) {
        await keepLogState(transaction, workspaceId, { state, nowMs: clock() });
      }
      const hasChanged = touched.length + doubted.changed + settled > 0;
      return { hasChanged, added: written.added.length };
    };
    const { result, revision } = await writeBetweenRevisions(store, workspaceId, write);
    const { added } = result;
    noneVerified.end(revision);
    tally.wrote(hits, added);
  }

  /** The hits with the verdicts that host names give them. Most have theirs, and wait for nothing. */
  async function finish(taken: readonly Candidate[]): Promise<readonly Hit[]> {
    const hits = taken.map(({ hit }) => hit);
    const asked: Array<Promise<void>> = [];
    for (const [place, { open }] of taken.entries()) {
      if (open === undefined) continue;
      const named = verifier.judgeWithNames(open.request, open.verdict);
      asked.push(
        named.then((verdict) => void (hits[place] = makeHit(open.request, verdict, context))),
      );
    }
    await Promise.all(asked);
    return hits;
  }
}

function makeHit(
  request: HitRequest,
  verdict: Verdict,
  { identity, keepsQuery }: BatchContext,
): Hit {
  const { bot, address, atMs, target } = request;
  const hit = storedVerdict(verdict);
  return {
    id: identity.hitId(request, address?.text ?? null),
    bot_name: bot.token,
    bot_company: bot.company,
    category: bot.category,
    path: keepsQuery ? target : withoutQuery(target),
    method: request.method,
    status: request.status,
    verification: hit.verification,
    hit_at: new Date(atMs).toISOString(),
    host: request.host,
    address: address?.text ?? null,
    address_group: groupOfHit({ address: address?.text ?? null, atMs, verdict: hit, identity }),
    user_agent: request.userAgent,
    signature: headersOf(request),
    evidence: hit.evidence,
  };
}

function headersOf({ signature, target, otherClients = [], isProxy }: Request): string | null {
  return writeHeaders({
    ...(signature !== null && {
      // A query is kept only where it is needed to verify the signature again.
      signed: { ...signature, target: coversQuery(signature) ? target : withoutQuery(target) },
    }),
    ...(otherClients.length > 0 && { forwarded: otherClients.map(({ text }) => text) }),
    ...(isProxy === true && { isProxy }),
  });
}

/** A query may hold what a person typed. */
function withoutQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end) || '/';
}
