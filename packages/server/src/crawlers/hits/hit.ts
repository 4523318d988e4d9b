import type { HitRow } from '@overheard/contract';
import { z } from 'zod';
import type { SignatureHeaders } from '../log-line.ts';
import { reasons } from '../verify/verdict.ts';
import type { Evidence, Verdict } from '../verify/verdict.ts';
import type { Identity } from './identity.ts';
import { readOverruled } from './overrule.ts';

/** A hit as it is stored, without its workspace. */
export interface Hit extends HitRow {
  readonly id: string;
  readonly host: string | null;
  readonly address: string | null;
  readonly address_group: string | null;
  readonly user_agent: string | null;
  readonly signature: string | null;
  readonly evidence: string | null;
}

const evidence = z.looseObject({
  reason: z.enum(Object.keys(reasons)).pipe(z.custom<Evidence['reason']>(isReason)),
  list: z.string().exactOptional(),
  list_first_at: z.string().exactOptional(),
  list_last_at: z.string().exactOptional(),
  prefix: z.string().exactOptional(),
  host_name: z.string().exactOptional(),
  asked_at: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  detail: z.string().exactOptional(),
});

const headers = z.object({
  signed: z
    .object({
      target: z.string(),
      signatureAgent: z.string(),
      signatureInput: z.string(),
      signature: z.string(),
      authority: z.string().nullable(),
      scheme: z.enum(['http', 'https']),
    })
    .exactOptional(),
  forwarded: z.array(z.string()).exactOptional(),
  isProxy: z.literal(true).exactOptional(),
});

/** What else of a request a verdict may rest on. Kept as JSON as long as the address is. */
export interface RequestHeaders {
  /** What a signed request is verified by, with its target: a signature may cover the query. */
  readonly signed?: SignatureHeaders & { readonly target: string };
  /** Addresses that headers name which nobody vouches for. */
  readonly forwarded?: readonly string[];
  /** The address is a trusted proxy's, whose header names no client. */
  readonly isProxy?: true;
}

export interface HitEvidence {
  readonly shown: Evidence;
  /** The hit's own, if other hits have overruled it. */
  readonly own?: Evidence;
}

/** Reads the evidence of a row; undefined for an imported one, which has none. */
export function readEvidence(text: string | null): HitEvidence | undefined {
  if (text === null) return undefined;
  const overruled = readOverruled(text);
  if (overruled === undefined) return { shown: evidence.parse(JSON.parse(text)) };
  const { reason, own } = overruled;
  return { shown: { reason }, own: evidence.parse(JSON.parse(own)) };
}

/** Reads what a row keeps of a request's headers. */
export function readHeaders(text: string | null): RequestHeaders {
  return text === null ? {} : headers.parse(JSON.parse(text));
}

/** Writes what is to be kept of a request's headers; null if there is nothing. */
export function writeHeaders(kept: RequestHeaders): string | null {
  const { signed, forwarded, isProxy } = kept;
  const text = JSON.stringify({ signed, forwarded, isProxy });
  return text === '{}' ? null : text;
}

/** A verdict as it is stored. */
export interface StoredVerdict {
  readonly verification: Hit['verification'];
  readonly evidence: string;
}

export function storedVerdict(verdict: Verdict): StoredVerdict {
  return { verification: verdict.verification, evidence: JSON.stringify(verdict.evidence) };
}

/** The verdict of a hit by itself, as it is stored, whatever other hits have done to it. */
export function ownVerdict({
  verification,
  evidence: text,
}: Pick<Hit, 'verification' | 'evidence'>): StoredVerdict | undefined {
  if (text === null) return undefined;
  const overruled = readOverruled(text);
  if (overruled === undefined) return { verification, evidence: text };
  const isAccused = overruled.reason === 'none_verified';
  return { verification: isAccused ? 'spoofed' : 'unverified', evidence: overruled.own };
}

/** The group of a hit by its own verdict: of an address that is no client's nothing is concluded. */
export function groupOfHit({
  address,
  atMs,
  verdict: { evidence: text },
  identity,
}: {
  address: string | null;
  atMs: number;
  verdict: StoredVerdict;
  identity: Identity;
}): string | null {
  const isClient = !/^\{"reason":"(?:proxy|private)_address"/.test(text);
  return address === null || !isClient ? null : identity.addressGroup(address, atMs);
}

function isReason(value: unknown): value is Evidence['reason'] {
  return typeof value === 'string' && Object.hasOwn(reasons, value);
}
