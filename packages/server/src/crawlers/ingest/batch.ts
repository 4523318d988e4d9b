import { createPathBits } from '../../storage/bits/path-bits.ts';
import { writeWorkspace } from '../../storage/write.ts';
import { dayMs, utcDay } from '../../values/time/utc-day.ts';
import type { Bot } from '../bots/catalogue.ts';
import { excuseUnknown, storedVerdict, writeHeaders } from '../hits/hit.ts';
import { dayOf } from '../hits/identity.ts';
import { markVisited } from '../hits/mark-days.ts';
import { createVisitorBits } from '../hits/visitor-bits.ts';
import { writeHits } from '../hits/write-hits.ts';
import type { JudgedHit } from '../hits/write-hits.ts';
import type { LogLine } from '../log-line.ts';
import { coversQuery } from '../verify/web-bot-auth.ts';
import { readReferral, writeReferrals } from '../referrals/referrals.ts';
import type { Referral } from '../referrals/referrals.ts';
import type { Verdict } from '../verify/verdict.ts';
import { readClient } from './client-address.ts';
import type { ClientAddress } from './client-address.ts';
import type { IngestContext } from './prepare-ingest.ts';
import type { VisitorLine } from './line-reader.ts';
import { keepLogState } from './log-state.ts';
import type { LogState } from './log-state.ts';

/** A request of a bot. */
type HitRequest = Omit<LogLine, 'address' | 'originAuth'> & ClientAddress & { readonly bot: Bot };

/** Hits in one transaction: more outlive the young heap, and write more pages than the cache holds. */
export const batchHits = 500;
/** Characters in one transaction: clients choose the length of what they send. */
const batchLength = 1 << 20;

/** Gathers hits and writes them in one transaction at a time. */
export function createBatch(context: IngestContext) {
  const { store, workspaceId, secret, identity, rules, clock, tally, nat64, keepsQuery } = context;
  let requests: HitRequest[] = [];
  let referrals: Referral[] = [];
  let length = 0;
  const visitors = createVisitorBits(identity);
  const paths = createPathBits(secret);
  return {
    add,
    addReferral,
    addVisitor,
    flush,
    get isEmpty() {
      return hasNothing();
    },
    /** Whether it is time to write. */
    get isFull() {
      const count = requests.length + referrals.length;
      return count >= batchHits || length >= batchLength || visitors.isFull || paths.isFull;
    },
  };

  function add(request: HitRequest): void {
    const { target, userAgent, signature } = request;
    requests.push(request);
    length += target.length + userAgent.length;
    if (signature !== null) length += signature.signatureInput.length + signature.signature.length;
  }

  /** Takes a line of a person whom an answer sent. */
  function addReferral(line: LogLine): void {
    const read = readReferral(line);
    if (read === undefined) return;
    // The addresses are as they were logged: who is trusted changes nothing.
    const { address, forwardedFor, forwarded, cfConnectingIp, trueClientIp } = line;
    const sender = [address, forwardedFor, forwarded, cfConnectingIp, trueClientIp].join(' ');
    const id = identity.hitId(line, sender);
    referrals.push({ id, date: utcDay(line.atMs), host: line.host, ...read });
    length += read.path.length;
  }

  /**
   * Takes a line of a person's browser: an address that it shares with a claim may be a proxy's, and a
   * page that refuses it is not refused to bots alone.
   */
  function addVisitor(line: VisitorLine): void {
    const { address } = readClient(line, { proxies: rules.proxies, nat64 });
    const day = dayOf(line.atMs);
    if (address !== null) visitors.add(address, day);
    const { status, target } = line;
    const host = line.host ?? context.host ?? null;
    paths.add({ host, path: keepsQuery ? target : withoutQuery(target), status }, day);
  }

  function hasNothing(): boolean {
    const count = requests.length + referrals.length;
    return count === 0 && visitors.isEmpty && paths.isEmpty;
  }

  /** Writes the hits, and in the same transaction how far the log has been read. */
  async function flush(state?: LogState): Promise<void> {
    if (hasNothing() && state === undefined) return;
    const [openRequests, openReferrals] = [requests, referrals];
    [requests, referrals, length] = [[], [], 0];
    const hits = await Promise.all(
      openRequests.map(async (request) =>
        makeHit(request, await rules.verifier.judge(request), context),
      ),
    );
    const counts = await writeWorkspace(store, workspaceId, async (transaction) => {
      const { added, hasChanged } = await writeHits(store, transaction, workspaceId, hits);
      const addedReferrals = await writeReferrals(store, transaction, workspaceId, openReferrals);
      const visited = await visitors.write(transaction, workspaceId);
      await markVisited(transaction, workspaceId, visited);
      await paths.write(transaction, workspaceId);
      if (state !== undefined) {
        await keepLogState(transaction, workspaceId, { state, nowMs: clock() });
      }
      return { hasChanged: hasChanged || addedReferrals > 0, added, addedReferrals };
    });
    visitors.forget();
    paths.forget();
    tally.addWritten(hits, counts);
  }
}

function makeHit(
  request: HitRequest,
  verdict: Verdict,
  { identity, keepsQuery, keepAddressesDays, clock, rules }: IngestContext,
): JudgedHit {
  const { bot, atMs, target, address: client } = request;
  // The visitors of so old a day are forgotten after each ingest, so another log's cannot excuse anyone.
  const isTooLate = atMs < clock() - keepAddressesDays * dayMs;
  const isUnknown = client === null || (isTooLate && verdict.verification !== 'verified');
  const network = isUnknown ? null : identity.network(client);
  const { verification, evidence } = excuseUnknown(storedVerdict(verdict), network);
  const address = client?.text ?? null;
  const path = keepsQuery ? target : withoutQuery(target);
  const tokens = [bot.token, ...bot.robotsTokens];
  const robots = rules.robots.get(request.host ?? '');
  return {
    id: identity.hitId(request, address),
    bot_name: bot.token,
    bot_company: bot.company,
    category: bot.category,
    path,
    method: request.method,
    status: request.status,
    verification,
    hit_at: new Date(atMs).toISOString(),
    host: request.host,
    address,
    network,
    user_agent: request.userAgent,
    signature: headersOf(request),
    evidence,
    robots_outcomes: robots?.noteOutcomes({ tokens, path, target, atMs }) ?? null,
  };
}

function headersOf({ signature, target, otherClients, isProxy }: HitRequest): string | null {
  // Keep a query only if the signature covers it: a query may hold what a person typed.
  const signed = signature && {
    ...signature,
    target: coversQuery(signature) ? target : withoutQuery(target),
  };
  return writeHeaders({
    signed: signed ?? undefined,
    forwarded: otherClients?.length ? otherClients.map(({ text }) => text) : undefined,
    isProxy,
  });
}

function withoutQuery(target: string): string {
  const end = target.search(/[?#]/);
  return end === -1 ? target : target.slice(0, end) || '/';
}
