import { dayMs } from '../../values/time/utc-day.ts';
import { isIpv4 } from '../../values/addresses/address.ts';
import type { Address } from '../../values/addresses/address.ts';
import { embeddedAddresses } from '../../values/addresses/nat64.ts';
import type { Bot } from '../bots/catalogue.ts';
import { findRangeList, operatorPrefixes } from '../bots/catalogue.ts';
import { isGlobal, unmaskedNetwork } from '../../values/addresses/networks.ts';
import { proxyPrefix } from '../operators/lists.ts';
import type { ListResult, Lists } from '../operators/lists.ts';
import { spoofed, unverified, verified } from './verdict.ts';
import type { Evidence, Verdict } from './verdict.ts';

export type DnsResult = NamedResult | { readonly kind: 'error' };

interface NamedResult {
  readonly kind: 'confirmed' | 'other';
  readonly hostName: string | null;
  readonly askedMs: number;
}

export type SignatureResult =
  | { readonly kind: 'valid'; readonly agent: string }
  | { readonly kind: 'invalid'; readonly detail: string };

/** A client address in a header of an untrusted proxy. */
export interface NamedClient {
  readonly address: Address;
  readonly dns?: DnsResult | undefined;
}

/** A claim to be a bot, and the facts about it. */
export interface Claim {
  readonly bot: Bot;
  readonly address: Address | null;
  readonly isProxy?: boolean | undefined;
  readonly otherClients?: readonly NamedClient[] | undefined;
  readonly atMs: number;
  readonly nowMs: number;
  readonly dns?: DnsResult | undefined;
  readonly signature?: SignatureResult | undefined;
}

/** A host name says nothing about an address this long before or after its look-up. */
export const namesNearMs = 30 * dayMs;

/**
 * Judges one claim by the given facts. Proof makes it verified. It is spoofed only if the operator
 * publishes complete lists or names, and those of that time refute it. Any other claim is in doubt, with
 * the reason and what would decide.
 */
export function judge(claim: Claim, lists: Lists): Verdict {
  const { bot, signature, otherClients = [] } = claim;
  if (bot.isNeverSent) return spoofed({ reason: 'never_sent' });
  if (signature?.kind === 'valid') return verified({ reason: 'signature', agent: signature.agent });
  const addressVerdict = judgeAddress(claim, lists);
  if (
    addressVerdict.verification === 'verified' ||
    addressVerdict.evidence.reason === 'proxy_address'
  )
    return addressVerdict;
  // Anyone can write such a header, so it excuses only if its client is or may be the bot. The evidence
  // outlives addresses, so it does not name the client.
  const isExcused = otherClients.some(({ address, dns }) => {
    const named = judgeAddress({ ...claim, address, dns, isProxy: false }, lists);
    return named.verification === 'verified' || (isOpen(named) && !isOpen(addressVerdict));
  });
  if (isExcused) {
    return unverified({ reason: 'proxy_address', detail: 'a header names another client' });
  }
  // An invalid signature, which anyone can write, must not shield a forger.
  const isShielded = signature !== undefined && addressVerdict.verification !== 'spoofed';
  return isShielded
    ? unverified({ reason: 'signature_invalid', detail: signature.detail })
    : addressVerdict;
}

/** Whether a host name look-up could decide what the lists have left open. */
export function wantsDns({ bot, address, atMs, nowMs }: Claim, { evidence }: Verdict): boolean {
  if (address === null || bot.dns.length === 0 || Math.abs(nowMs - atMs) > namesNearMs)
    return false;
  return !nameless.has(evidence.reason);
}

const sharedNetwork =
  'strangers share its network and can write the header that names the client; a secret of your own in the log would decide (OVERHEARD_ORIGIN_SECRET or --origin-secret-file)';

/** Reasons that no host name can change. */
const nameless: ReadonlySet<Evidence['reason']> = new Set([
  'in_list',
  'host_name',
  'signature',
  'never_sent',
  'private_address',
  'masked_address',
  'no_address',
]);

/** Reasons that the whole address might change, if the log has only the beginning. */
const wholeDecides: ReadonlySet<Evidence['reason']> = new Set([
  'not_in_list',
  'wrong_host_name',
  'dns_pending',
  'not_authoritative',
]);

function judgeAddress(claim: Claim, lists: Lists): Verdict {
  const { bot, dns, address, isProxy = false } = claim;
  if (address === null) return unverified({ reason: 'no_address' });
  if (!isGlobal(address)) return unverified({ reason: 'private_address' });
  if (isProxy) {
    const namesClient = claim.otherClients !== undefined && claim.otherClients.length > 0;
    return unverified({ reason: 'proxy_address', ...(namesClient && { detail: sharedNetwork }) });
  }
  const listResults = bot.lists.map((list) => lists.ask(list, address, momentOf(claim, list)));
  const isMasked = unmaskedNetwork(address).bits < (isIpv4(address) ? 32 : 128);
  const match = listResults.find(({ hasAll }) => hasAll);
  if (match !== undefined) {
    return verified({ ...listEvidence('in_list', match), ...confirmation(dns) });
  }
  if (dns?.kind === 'confirmed' && !isMasked) {
    return verified({ reason: 'host_name', ...confirmation(dns) });
  }
  const proxy = lists.findEver(lists.idsOf(proxyPrefix), address);
  if (proxy !== undefined) return unverified({ reason: 'proxy_address', list: proxy });
  const translated = judgeTranslated(bot, address, lists);
  if (translated !== undefined) return translated;
  const failure = judgeFailure(claim, listResults);
  if (isMasked && wholeDecides.has(failure.evidence.reason)) {
    return unverified({ reason: 'masked_address' });
  }
  if (failure.evidence.reason === 'lists_disagree') return failure;
  const operatorsLists = operatorPrefixes(bot).flatMap((prefix) => lists.idsOf(prefix));
  const others = operatorsLists.filter((id) => !bot.lists.includes(id));
  const list = lists.findEver(others, address);
  return list === undefined ? failure : unverified({ reason: 'operators_other_network', list });
}

/** An IPv6 address that holds an IPv4 address of the bot may be a translator's. Anyone can have one. */
function judgeTranslated(bot: Bot, address: Address, lists: Lists): Verdict | undefined {
  for (const { address: ipv4, prefix } of embeddedAddresses(address)) {
    const list = lists.findEver(bot.lists, ipv4);
    if (list === undefined) continue;
    const detail = `it holds the IPv4 address ${ipv4.text}, which is in ${list}; if your network translates IPv4 to IPv6, name its prefix: --nat64 ${prefix}`;
    return unverified({ reason: 'proxy_address', detail });
  }
  return undefined;
}

/** Whether the next list may decide. */
function isOpen({ evidence: { reason } }: Verdict): boolean {
  return reason === 'list_pending' || reason === 'no_list';
}

/** Nothing has confirmed the claim. Decides whether anything refutes it. */
function judgeFailure(claim: Claim, listResults: readonly ListResult[]): Verdict {
  const { bot, dns, atMs, nowMs } = claim;
  const byLists = judgeLists(bot, listResults);
  if (bot.dns.length === 0) {
    const alone = bot.agent === undefined ? 'no_published_means' : 'no_signature';
    return byLists ?? unverified({ reason: alone });
  }
  const reason = byLists?.evidence.reason;
  if (byLists !== undefined && (reason === 'list_pending' || reason === 'lists_disagree'))
    return byLists;
  const isNear = dns?.kind === 'other' && Math.abs(dns.askedMs - atMs) <= ownNearMs(bot);
  if (isNear && mayRefute(bot, byLists)) {
    return spoofed({ ...byLists?.evidence, reason: 'wrong_host_name', ...nameEvidence(dns) });
  }
  const isRefuted = byLists?.verification === 'spoofed';
  const canAsk = dns?.kind !== 'other' && Math.abs(nowMs - atMs) <= namesNearMs;
  if (isRefuted || (canAsk && reason !== 'no_list' && reason !== 'not_authoritative')) {
    return unverified({ ...byLists?.evidence, reason: 'dns_pending' });
  }
  return byLists ?? unverified({ reason: 'not_authoritative' });
}

/** Whether a wrong host name refutes. What a person set off must fail by every means that is published. */
function mayRefute(bot: Bot, byLists: Verdict | undefined): boolean {
  if (!bot.isAuthoritative) return false;
  return bot.category !== 'user' || byLists === undefined || byLists.verification === 'spoofed';
}

/** Reasons of list results that decide nothing, the most promising first. */
const doubts = [
  ['missing', 'no_list'],
  ['changed', 'lists_disagree'],
  ['other_family', 'other_family'],
  ['pending', 'list_pending'],
  ['begins_later', 'no_earlier_list'],
  ['too_old', 'list_too_old'],
] as const;

/** Every list of the bot must be here, near and without the address. Undefined for a bot without lists. */
function judgeLists(bot: Bot, listResults: readonly ListResult[]): Verdict | undefined {
  const [first] = listResults;
  if (first === undefined) return undefined;
  for (const [standing, reason] of doubts) {
    const doubt = listResults.find((result) => result.standing === standing);
    if (doubt !== undefined) return unverified(listEvidence(reason, doubt));
  }
  return bot.isAuthoritative
    ? spoofed(listEvidence('not_in_list', first))
    : unverified(listEvidence('not_authoritative', first));
}

function momentOf({ bot, atMs, nowMs }: Claim, listId: string) {
  const nearDays = findRangeList(listId)?.nearDays;
  return { atMs, nowMs, nearMs: nearDays === undefined ? ownNearMs(bot) : nearDays * dayMs };
}

/** Addresses of what people set off change in days, those of crawlers in weeks. */
function ownNearMs({ category }: Bot): number {
  return (category === 'user' ? 7 : 30) * dayMs;
}

/** A confirmed name, and when it was asked for: it proves the same as long as the hit is kept. */
function confirmation(dns: DnsResult | undefined): Partial<Evidence> {
  return dns?.kind === 'confirmed' ? nameEvidence(dns) : {};
}

function nameEvidence({ hostName, askedMs }: NamedResult): Partial<Evidence> {
  return {
    ...(hostName !== null && { host_name: hostName }),
    asked_at: new Date(askedMs).toISOString(),
  };
}

function listEvidence(reason: Evidence['reason'], result: ListResult): Evidence {
  const { listId: list, firstAt, lastAt, network } = result;
  return {
    reason,
    list,
    ...(firstAt !== undefined && { list_first_at: firstAt }),
    ...(lastAt !== undefined && { list_last_at: lastAt }),
    ...(network !== undefined && { prefix: network }),
  };
}
