import type { HitRow } from '@overheard/contract';

/** Why a hit is verified, spoofed or neither. Every code has its sentence in `docs/crawlers.md`. */
export const reasons = {
  in_list: "the address is in the operator's published list",
  host_name: 'the address resolves to a host name of the operator, and that name to the address',
  signature: "the request is signed with the operator's key",
  not_in_list: "the address is not in the operator's published list, which is near in time",
  wrong_host_name: 'the address does not resolve to a host name of the operator',
  never_sent: 'no request carries this token: it is for robots.txt alone',
  many_operators: 'the address claimed to be three or more operators within ten minutes',
  no_list: "none of the operator's lists is here; run `overheard ranges update`",
  stale_list: 'the nearest list is from too long before or after the request',
  lists_disagree:
    'the list changed about the time of the request: one has the address, one does not',
  no_published_means: 'the operator publishes nothing to verify it by',
  not_authoritative: 'the address is not in the list, but the list is not complete',
  no_signature: 'it can be verified by its signature alone, and the log has none',
  signature_invalid: 'the request is signed, but the signature cannot be confirmed',
  no_ip: 'the log has no address',
  private_ip: 'the address is not one of the internet',
  proxy_ip: "the address is a proxy's, not the client's",
  dns_error: 'the host name could not be looked up',
} as const;

export type Reason = keyof typeof reasons;

/** What a verdict rests on. Kept with the hit as JSON. */
export interface Evidence {
  readonly reason: Reason;
  readonly list?: string;
  /** The time for which the list held. */
  readonly list_first_at?: string;
  readonly list_last_at?: string;
  readonly prefix?: string;
  readonly host_name?: string;
  /** When the host name was asked for. */
  readonly asked_at?: string;
  readonly agent?: string;
  readonly detail?: string;
  /** The verdict of the hit by itself, where its neighbours have overruled it. */
  readonly own?: Verdict;
}

export interface Verdict {
  readonly verification: HitRow['verification'];
  readonly evidence: Evidence;
}

export function verified(evidence: Evidence): Verdict {
  return { verification: 'verified', evidence };
}

export function spoofed(evidence: Evidence): Verdict {
  return { verification: 'spoofed', evidence };
}

export function unverified(evidence: Evidence): Verdict {
  return { verification: 'unverified', evidence };
}
