import type { HitRow } from '@overheard/contract';
import { z } from 'zod';

/**
 * Why a hit is verified, spoofed or neither, and what would decide it. Every code has its sentence in
 * `docs/crawlers.md`.
 */
export const reasons = {
  in_list: "the address is in the operator's published list",
  host_name: 'the address resolves to a host name of the operator, and that name to the address',
  signature: "the request is signed with the operator's key, for one of your own sites",
  not_in_list:
    "the operator's list was in force at the time of the request and does not have the address",
  wrong_host_name: 'the address does not resolve to a host name of the operator',
  never_sent: 'no request has this token, which is only for robots.txt',
  site_unproven:
    "the operator's list or host names refute the address, but in the 30 days before too few hits of the site are verified by their addresses to show that its log has the addresses of clients; hits of two operators or from three networks would",
  proof_pending:
    "the operator's list or host names refute the address, and hits before are verified by theirs; it waits for the next proof, within 30 days, that the log still has the addresses of clients",
  visitor_address:
    "the operator's list or host names refute the address, but ordinary visitors share its network within 7 days, so it may be a proxy's; a log with the client's address would decide",
  read_too_late:
    "the operator's list or host names refute the address, but the request was older than addresses are kept when its log was read, so nobody knows whether visitors share its network; `overheard prune --keep-addresses-days` and reading the log again with `--from-start` would decide",
  no_list: "the operator's list is missing; `overheard ranges update` fetches it and decides",
  list_pending:
    'the list was fetched before the request and does not have the address; the next `overheard ranges update` decides',
  no_earlier_list:
    'the list is younger than the request and does not have the address; only an older list could decide',
  list_too_old:
    'no list is near enough to the time of the request; only a list of that time could decide',
  lists_disagree:
    'the list changed about the time of the request: one version has the address, one does not',
  other_family:
    "the address is IPv6, and the operator's list has only IPv4 addresses, or the reverse; a list with both would decide",
  dns_pending:
    'no list has the address, but the operator names its addresses and the host name could not be looked up; `overheard hits verify` with working DNS decides',
  operators_other_network:
    "the address is the operator's, but of another of its services; the operator's own list for this bot would decide",
  no_published_means: 'the operator publishes nothing to verify it by',
  not_authoritative: 'the address is not in the list, but the list is not complete',
  no_signature: 'it can only be verified by its signature, and the log has none',
  signature_invalid: 'the request is signed, but the signature cannot be confirmed',
  no_address: 'the log has no address',
  private_address:
    "the address is private or reserved, so no client on the internet has it; a log with the client's address would decide",
  masked_address:
    'the address ends in 0, 1 or 255, as in logs that mask addresses, and the list does not have all addresses that it may stand for; a log with whole addresses would decide',
  proxy_address:
    "the address is a proxy's or a translator's; a log with the client's address, `--trust-forwarded` or `--nat64` would decide",
} as const;

export type Reason = keyof typeof reasons;

const text = z.string().exactOptional();

/** What a verdict rests on. Stored with the hit as JSON, the reason first. */
export const evidence = z.object({
  reason: z.custom<Reason>((value) => typeof value === 'string' && Object.hasOwn(reasons, value)),
  list: text,
  /** The time for which the list was in force. */
  list_first_at: text,
  list_last_at: text,
  prefix: text,
  host_name: text,
  /** When the host name was looked up. */
  asked_at: text,
  agent: text,
  detail: text,
});

export type Evidence = Readonly<z.output<typeof evidence>>;

export interface Verdict {
  readonly verification: HitRow['verification'];
  readonly evidence: Evidence;
}

export function verified(proof: Evidence): Verdict {
  return { verification: 'verified', evidence: proof };
}

export function spoofed(disproof: Evidence): Verdict {
  return { verification: 'spoofed', evidence: disproof };
}

export function unverified(doubt: Evidence): Verdict {
  return { verification: 'unverified', evidence: doubt };
}
