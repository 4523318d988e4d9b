import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Bot } from '../bots/catalogue.ts';
import type { Hit } from '../hits/hit.ts';
import { periodOf } from '../hits/identity.ts';
import type { Identity } from '../hits/identity.ts';
import { judgeNeighbours } from '../hits/judge-neighbours.ts';
import { keepProxyAddress } from '../hits/proxy-addresses.ts';
import { writeHits } from '../hits/write-hits.ts';
import type { LogLine } from '../log-line.ts';
import type { Verdict } from '../verify/verdict.ts';
import type { Request, Verifier } from '../verify/verifier.ts';
import { keepLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';
import type { Tally } from './summary.ts';

/** Hits that wait for the next transaction. */
export interface Batch {
  /** Takes a hit; returns its id. */
  add(found: { bot: Bot; line: LogLine; address: string | null }): string;
  readonly size: number;
  /** Writes what has been taken, together with how far the log has been read. */
  flush(end?: BatchEnd): Promise<void>;
}

/** What is kept together with a batch's hits. */
export interface BatchEnd {
  readonly state?: LogState | undefined;
  /** A hit that was made of half a line, to be taken back before the rest is written. */
  readonly withdrawnId?: string | undefined;
  /** The address that most of the log comes from. */
  readonly proxy?: string | undefined;
}

/** What every batch of an ingest shares. */
export interface BatchContext {
  readonly store: Store;
  readonly workspaceId: string;
  readonly identity: Identity;
  readonly verifier: Verifier;
  /** Keys of the addresses found to be proxies'; grows. */
  readonly proxyKeys: Set<string>;
  readonly keepsQuery: boolean;
  readonly clock: () => number;
  readonly tally: Tally;
  readonly isDryRun: boolean;
}

interface Candidate {
  readonly request: Request;
  readonly hit: Hit;
  readonly verdict: Verdict;
}

/** Gathers hits and writes them in one transaction at a time. */
export function createBatch(context: BatchContext): Batch {
  const { store, workspaceId, identity, verifier, proxyKeys, clock, tally } = context;
  let candidates: Candidate[] = [];
  return {
    add,
    flush,
    get size() {
      return candidates.length;
    },
  };

  function add({
    bot,
    line,
    address,
  }: {
    bot: Bot;
    line: LogLine;
    address: string | null;
  }): string {
    const request = { ...line, bot, address };
    const verdict = verifier.judge(request);
    const hit = makeHit(request, line, context);
    candidates.push({ request, hit, verdict });
    return hit.id;
  }

  async function flush({ state, withdrawnId, proxy }: BatchEnd = {}): Promise<void> {
    const taken = candidates;
    candidates = [];
    const isNewProxy = proxy !== undefined && !proxyKeys.has(identity.addressKey(proxy));
    if (isNewProxy) proxyKeys.add(identity.addressKey(proxy));
    const hits = await Promise.all(taken.map((candidate) => finish(candidate, isNewProxy)));
    const through = hits.filter(({ address }) => address !== null && address === proxy);
    const isProxy = through.length > 0 && through.every((hit) => hit.verification !== 'verified');
    if (proxy !== undefined && isProxy) tally.proxy(proxy);
    if (context.isDryRun) {
      for (const hit of hits) tally.hit(hit, true);
      return;
    }
    const isIdle = hits.length === 0 && state === undefined && !isNewProxy;
    if (isIdle) return;
    const { written, changed } = await writeWorkspace(store, workspaceId, async (transaction) => {
      if (withdrawnId !== undefined && !hits.some(({ id }) => id === withdrawnId)) {
        await transaction
          .deleteFrom('hits')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', withdrawnId)
          .execute();
      }
      const result = await writeHits(transaction, workspaceId, hits);
      const lifted = isNewProxy
        ? await keepProxyAddress(transaction, workspaceId, {
            address: proxy,
            identity,
            nowMs: clock(),
          })
        : [];
      const judged = await judgeNeighbours(transaction, workspaceId, {
        hits: result.added,
        identity,
      });
      if (state !== undefined)
        await keepLogState(transaction, workspaceId, { state, nowMs: clock() });
      const hasChanged =
        result.added.length + result.changed + lifted.length + judged.length > 0 ||
        withdrawnId !== undefined;
      return { hasChanged, written: result, changed: [...lifted, ...judged] };
    });
    for (const hit of written.added) tally.hit(hit, true);
    for (const hit of written.known) tally.hit(hit, false);
    for (const { row, verification } of changed) tally.change(row, verification);
  }

  /** The verdict that needed a look-up, or that a proxy has put in doubt meanwhile. */
  async function finish({ request, hit, verdict }: Candidate, isDoubtful: boolean): Promise<Hit> {
    const now = isDoubtful ? verifier.judge(request) : verdict;
    const final = await verifier.judgeWithNames(request, now);
    return {
      ...hit,
      verification: final.verification,
      evidence: JSON.stringify(final.evidence),
    };
  }
}

function makeHit(
  { bot, address, atMs }: Request,
  line: LogLine,
  { identity, keepsQuery }: BatchContext,
): Hit {
  return {
    id: identity.hitId(line, address),
    bot_name: bot.token,
    bot_company: bot.company,
    category: bot.category,
    path: keepsQuery ? line.target : withoutQuery(line.target),
    method: line.method,
    status: line.status,
    verification: 'unverified',
    hit_at: new Date(atMs).toISOString(),
    host: line.host,
    address,
    address_group: address === null ? null : identity.addressGroup(address, periodOf(atMs)),
    user_agent: line.userAgent,
    signature:
      line.signature === null ? null : JSON.stringify({ ...line.signature, target: line.target }),
    evidence: null,
  };
}

/** A query may hold what a person typed. */
function withoutQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end) || '/';
}
