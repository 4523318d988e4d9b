import type { HitRow } from '@overheard/contract';
import { z } from 'zod';
import type { OverruledBy } from '../../storage/tables/crawler-tables.ts';
import { evidence, unverified } from '../verify/verdict.ts';
import type { Evidence, Verdict } from '../verify/verdict.ts';
import { hasReason } from './reasons.ts';

/** A hit as it is stored, without its workspace. */
export interface Hit extends HitRow {
  readonly id: string;
  readonly host: string | null;
  readonly address: string | null;
  readonly network: string | null;
  readonly user_agent: string | null;
  readonly signature: string | null;
  /** What the hit's own verdict rests on, as JSON. Null for an imported hit. */
  readonly evidence: string | null;
  /** Why the site's hits and visitors overrule the hit's own verdict. */
  readonly overruled_by: OverruledBy | null;
  /** What versions of robots.txt say of the request with its query, where that decides. */
  readonly robots_outcomes: string | null;
}

/** Parts of a request that its verdict may rest on. Stored as JSON for as long as the address is. */
const requestHeaders = z.object({
  /** What a signature is verified by. The target is here because a signature may cover its query. */
  signed: z
    .object({
      target: z.string(),
      signatureAgent: z.string(),
      signatureInput: z.string(),
      signature: z.string(),
      authority: z.string().nullable(),
      scheme: z.enum(['http', 'https']),
    })
    .optional(),
  /** Client addresses in headers of untrusted proxies. */
  forwarded: z.array(z.string()).optional(),
  /** The address belongs to a trusted proxy whose header names no client. */
  isProxy: z.literal(true).optional(),
});

type RequestHeaders = Readonly<z.output<typeof requestHeaders>>;

const moment = z.number().nullable();
/** Milliseconds since 1970 for which the list was in force: shorter than two dates in each hit. */
const storedTimes = z.object({ list_times: z.tuple([moment, moment]).optional() });

/** Reads a hit's own evidence. Undefined for an imported hit, which has none. */
export function ownEvidence(text: string | null): Evidence | undefined {
  if (text === null) return undefined;
  const stored: unknown = JSON.parse(text);
  const { reason, list, ...facts } = evidence.parse(stored);
  const [first, last] = storedTimes.parse(stored).list_times ?? [null, null];
  return {
    reason,
    ...(list !== undefined && { list }),
    ...(first !== null && { list_first_at: new Date(first).toISOString() }),
    ...(last !== null && { list_last_at: new Date(last).toISOString() }),
    ...facts,
  };
}

/** Writes evidence as `ownEvidence` reads it. */
function writeEvidence(proof: Evidence): string {
  const { reason, list, list_first_at: first, list_last_at: last, ...facts } = proof;
  const isTimed = first !== undefined || last !== undefined;
  const times = [first, last].map((at) => (at === undefined ? null : Date.parse(at)));
  return JSON.stringify({ reason, list, ...(isTimed && { list_times: times }), ...facts });
}

/** The evidence to show: if other hits overrule the hit, their reason alone. */
export function shownEvidence({
  evidence: text,
  overruled_by: reason,
}: Pick<Hit, 'evidence' | 'overruled_by'>): Evidence | undefined {
  return reason === null ? ownEvidence(text) : { reason };
}

export function readHeaders(text: string | null): RequestHeaders {
  return text === null ? {} : requestHeaders.parse(JSON.parse(text));
}

/** Null if there is nothing to store. */
export function writeHeaders({ signed, forwarded, isProxy }: RequestHeaders): string | null {
  const text = JSON.stringify({ signed, forwarded, isProxy });
  return text === '{}' ? null : text;
}

/** A hit's own verdict as it is stored. */
export interface StoredVerdict {
  readonly verification: Hit['verification'];
  readonly evidence: string;
}

export function storedVerdict({ verification, evidence: proof }: Verdict): StoredVerdict {
  return { verification, evidence: writeEvidence(proof) };
}

/** The verdict of a hit by itself, even if other hits overrule it. Undefined for an imported hit. */
export function ownVerdict({
  verification,
  evidence: text,
  overruled_by: reason,
}: Pick<Hit, keyof StoredVerdict | 'overruled_by'>): StoredVerdict | undefined {
  if (text === null) return undefined;
  return { verification: reason === null ? verification : 'spoofed', evidence: text };
}

/**
 * A verdict as it is first written: an accusation waits for proof until its day is settled. Only a token
 * that no request ever has needs no proof.
 */
export function withhold(verdict: StoredVerdict): StoredVerdict & Pick<Hit, 'overruled_by'> {
  if (!needsProof(verdict)) return { ...verdict, overruled_by: null };
  return { ...verdict, verification: 'unverified', overruled_by: 'proof_pending' };
}

/** The verdict of a hit, which is not accused if the visitors of its network are unknown. */
export function excuseUnknown(verdict: StoredVerdict, network: Hit['network']): StoredVerdict {
  const isExcused = network === null && needsProof(verdict);
  return isExcused ? storedVerdict(unverified({ reason: 'read_too_late' })) : verdict;
}

/** Whether a verdict accuses by an address, which proof and visitors may overrule. */
function needsProof({ verification, evidence: text }: StoredVerdict): boolean {
  return verification === 'spoofed' && !hasReason(text, ['never_sent']);
}
