import { parseAddress } from '../addresses/address.ts';
import type { Address } from '../addresses/address.ts';
import { isGlobalAddress } from '../addresses/global.ts';
import type { Bot } from '../bots/catalogue.ts';
import { findRangeList } from '../bots/catalogue.ts';
import type { ListAnswer, RangeEvidence } from '../ranges/evidence.ts';
import { spoofed, unverified, verified } from './verdict.ts';
import type { Evidence, Verdict } from './verdict.ts';

/** What a host name lookup said of an address, and when. */
export type DnsAnswer =
  | {
      readonly kind: 'confirmed' | 'other';
      readonly hostName: string | null;
      readonly askedMs: number;
    }
  | { readonly kind: 'error' };

/** What a signature was found to be. */
export type SignatureAnswer =
  | { readonly kind: 'valid'; readonly agent: string }
  | { readonly kind: 'invalid'; readonly detail: string };

export interface Claim {
  readonly bot: Bot;
  readonly address: string | null;
  readonly atMs: number;
  readonly dns?: DnsAnswer | undefined;
  readonly signature?: SignatureAnswer | undefined;
  /** Whether the workspace has found the address to be a proxy's. */
  readonly isProxy?: boolean;
}

const dayMs = 86_400_000;
/** Host names and lists without a limit of their own say something about this long. */
const defaultNearDays = 30;

/**
 * Judges one claim by the evidence at hand. Proof makes it verified; only an authoritative means that
 * fails near in time makes it spoofed; everything else says why it can be neither.
 */
export function judge(claim: Claim, ranges: RangeEvidence): Verdict {
  const { bot, signature, dns, atMs } = claim;
  if (bot.isNeverSent) return spoofed({ reason: 'never_sent' });
  if (signature?.kind === 'valid') return verified({ reason: 'signature', agent: signature.agent });
  const client = readClient(claim);
  if ('verification' in client) return client;

  const answers: Array<ListAnswer | undefined> = [];
  for (const list of bot.lists) {
    const answer = ranges.ask(list, client.address, atMs);
    if (answer?.prefix !== undefined) return verified(listEvidence('in_list', answer));
    answers.push(answer);
  }
  const proxy = ranges.findProxy(client.address, atMs);
  if (proxy !== undefined) return unverified({ reason: 'proxy_ip', list: proxy });
  if (claim.isProxy === true) return unverified({ reason: 'proxy_ip' });
  if (dns?.kind === 'confirmed') {
    return verified({
      reason: 'host_name',
      ...(dns.hostName !== null && { host_name: dns.hostName }),
    });
  }
  if (signature !== undefined) {
    return unverified({ reason: 'signature_invalid', detail: signature.detail });
  }
  return judgeFailure(claim, answers);
}

/** Whether a host name lookup could decide what the lists have left open. */
export function wantsDns({ bot, address, atMs }: Claim, verdict: Verdict, nowMs: number): boolean {
  if (bot.dns.length === 0 || bot.isNeverSent || verdict.verification === 'verified') return false;
  if (Math.abs(nowMs - atMs) > defaultNearDays * dayMs) return false;
  const { reason } = verdict.evidence;
  return address !== null && reason !== 'private_ip' && reason !== 'proxy_ip' && reason !== 'no_ip';
}

function readClient({ address: text }: Claim): { readonly address: Address } | Verdict {
  const address = text === null ? undefined : parseAddress(text);
  if (address === undefined) return unverified({ reason: 'no_ip' });
  return isGlobalAddress(address) ? { address } : unverified({ reason: 'private_ip' });
}

/** Nothing has confirmed the claim: does anything refute it? */
function judgeFailure(
  { bot, dns, atMs }: Claim,
  answers: ReadonlyArray<ListAnswer | undefined>,
): Verdict {
  const own = judgeLists(bot, answers);
  if (own?.verification === 'spoofed') return own;
  const isRefuted =
    bot.isAuthoritative &&
    dns?.kind === 'other' &&
    Math.abs(dns.askedMs - atMs) <= defaultNearDays * dayMs;
  if (isRefuted) {
    return spoofed({
      reason: 'wrong_host_name',
      ...(dns.hostName !== null && { host_name: dns.hostName }),
    });
  }
  if (dns?.kind === 'error') return unverified({ reason: 'dns_error' });
  if (own !== undefined) return own;
  if (bot.dns.length > 0)
    return unverified({ reason: dns === undefined ? 'no_list' : 'not_authoritative' });
  return unverified({ reason: bot.agent === undefined ? 'no_published_means' : 'no_signature' });
}

/** Every list of the bot must be here, near and without the address. Undefined for a bot without lists. */
function judgeLists(bot: Bot, answers: ReadonlyArray<ListAnswer | undefined>): Verdict | undefined {
  if (answers.length === 0) return undefined;
  const known = answers.filter((answer) => answer !== undefined);
  const [first] = known;
  if (first === undefined || known.length < answers.length)
    return unverified({ reason: 'no_list' });
  if (!bot.isAuthoritative) return unverified(listEvidence('not_authoritative', first));
  const stale = known.find((answer) => answer.distanceMs > nearMs(answer.listId));
  if (stale !== undefined) return unverified(listEvidence('stale_list', stale));
  const torn = known.find(({ listId, otherSideMs = Infinity }) => otherSideMs <= nearMs(listId));
  if (torn !== undefined) return unverified(listEvidence('lists_disagree', torn));
  return spoofed(listEvidence('not_in_list', first));
}

function nearMs(listId: string): number {
  return (findRangeList(listId)?.nearDays ?? defaultNearDays) * dayMs;
}

function listEvidence(reason: Evidence['reason'], answer: ListAnswer): Evidence {
  return {
    reason,
    list: answer.listId,
    list_first_at: answer.firstAt,
    list_last_at: answer.lastAt,
    ...(answer.prefix !== undefined && { prefix: answer.prefix }),
  };
}
