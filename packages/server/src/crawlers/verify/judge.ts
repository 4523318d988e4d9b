import { parseAddress } from '../addresses/address.ts';
import type { Address } from '../addresses/address.ts';
import { isGlobalAddress } from '../addresses/global.ts';
import type { Bot } from '../bots/catalogue.ts';
import { findRangeList } from '../bots/catalogue.ts';
import type { ListAnswer, RangeEvidence } from '../ranges/evidence.ts';
import { evidenceNearDays, evidenceNearMs } from './near.ts';
import { spoofed, unverified, verified } from './verdict.ts';
import type { Evidence, Verdict } from './verdict.ts';

/** What a host name lookup said of an address, and when. */
export type DnsAnswer = NamedAnswer | { readonly kind: 'error' };

interface NamedAnswer {
  readonly kind: 'confirmed' | 'other';
  readonly hostName: string | null;
  readonly askedMs: number;
}

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
}

const dayMs = 86_400_000;
const userNearDays = 7;

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
    if (answer?.prefix !== undefined) {
      const evidence = listEvidence('in_list', answer);
      return verified(dns === undefined ? evidence : { ...evidence, ...confirmation(dns) });
    }
    answers.push(answer);
  }
  // Proof comes before doubt: the busiest of a log may be a proxy, and may be a crawler.
  if (dns?.kind === 'confirmed') return verified({ reason: 'host_name', ...confirmation(dns) });
  const proxy = ranges.findProxy(client.address, atMs);
  if (proxy !== undefined) return unverified({ reason: 'proxy_ip', list: proxy });
  const failure = judgeFailure(claim, answers);
  // A signature that says nothing, which anybody can write, must not shield a forger.
  return signature === undefined || failure.verification === 'spoofed'
    ? failure
    : unverified({ reason: 'signature_invalid', detail: signature.detail });
}

/** Whether a host name lookup could decide what the lists have left open. */
export function wantsDns({ bot, address, atMs }: Claim, verdict: Verdict, nowMs: number): boolean {
  if (bot.dns.length === 0 || bot.isNeverSent || verdict.verification === 'verified') return false;
  if (Math.abs(nowMs - atMs) > evidenceNearMs) return false;
  const { reason } = verdict.evidence;
  return address !== null && reason !== 'private_ip' && reason !== 'no_ip';
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
    Math.abs(dns.askedMs - atMs) <= ownNearDays(bot) * dayMs &&
    mayNameRefute(bot, own);
  if (isRefuted) return spoofed({ reason: 'wrong_host_name', ...nameEvidence(dns) });
  if (dns?.kind === 'error') return unverified({ reason: 'dns_error' });
  if (own !== undefined) return own;
  if (bot.dns.length > 0)
    return unverified({ reason: dns === undefined ? 'no_list' : 'not_authoritative' });
  return unverified({ reason: bot.agent === undefined ? 'no_published_means' : 'no_signature' });
}

/**
 * Whether a host name may refute what the lists have left open. Where one of them has the address,
 * nobody is called a forger; what people set off must fail by every means that is published.
 */
function mayNameRefute({ category, lists }: Bot, own: Verdict | undefined): boolean {
  if (own?.evidence.reason === 'lists_disagree') return false;
  return category !== 'user' || lists.length === 0;
}

/** Every list of the bot must be here, near and without the address. Undefined for a bot without lists. */
function judgeLists(bot: Bot, answers: ReadonlyArray<ListAnswer | undefined>): Verdict | undefined {
  if (answers.length === 0) return undefined;
  const known = answers.filter((answer) => answer !== undefined);
  const [first] = known;
  if (first === undefined || known.length < answers.length)
    return unverified({ reason: 'no_list' });
  if (!bot.isAuthoritative) return unverified(listEvidence('not_authoritative', first));
  const stale = known.find((answer) => answer.distanceMs > nearMs(bot, answer.listId));
  if (stale !== undefined) return unverified(listEvidence('stale_list', stale));
  const torn = known.find(
    ({ listId, otherSideMs = Infinity }) => otherSideMs <= nearMs(bot, listId),
  );
  if (torn !== undefined) return unverified(listEvidence('lists_disagree', torn));
  return spoofed(listEvidence('not_in_list', first));
}

function nearMs(bot: Bot, listId: string): number {
  return (findRangeList(listId)?.nearDays ?? ownNearDays(bot)) * dayMs;
}

/** Addresses of what people set off change in days, those of crawlers in weeks. */
function ownNearDays({ category }: Bot): number {
  return category === 'user' ? userNearDays : evidenceNearDays;
}

/** A confirmed name, and when it was asked for: it proves the same as long as the hit is kept. */
function confirmation(dns: DnsAnswer | undefined): Partial<Evidence> {
  return dns?.kind === 'confirmed' ? nameEvidence(dns) : {};
}

function nameEvidence({ hostName, askedMs }: NamedAnswer): Partial<Evidence> {
  return {
    ...(hostName !== null && { host_name: hostName }),
    asked_at: new Date(askedMs).toISOString(),
  };
}

function listEvidence(reason: Evidence['reason'], answer: ListAnswer): Evidence {
  const { listId: list, firstAt, lastAt, prefix } = answer;
  const evidence = { reason, list, list_first_at: firstAt, list_last_at: lastAt };
  return prefix === undefined ? evidence : { ...evidence, prefix };
}
