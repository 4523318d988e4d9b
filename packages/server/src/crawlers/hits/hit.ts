import type { HitRow } from '@overheard/contract';
import { z } from 'zod';
import { evidence } from '../verify/verdict.ts';
import type { Evidence, Verdict } from '../verify/verdict.ts';
import type { Identity } from './identity.ts';
import { hasReason, readOverruled } from './overrule.ts';

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

export interface HitEvidence {
  readonly shown: Evidence;
  /** The hit's own evidence, if other hits overrule it. */
  readonly own?: Evidence;
}

/** Reads the evidence of a row. Undefined for an imported hit, which has none. */
export function readEvidence(text: string | null): HitEvidence | undefined {
  if (text === null) return undefined;
  const overruled = readOverruled(text);
  if (overruled === undefined) return { shown: evidence.parse(JSON.parse(text)) };
  const { reason, own } = overruled;
  return { shown: { reason }, own: evidence.parse(JSON.parse(own)) };
}

export function readHeaders(text: string | null): RequestHeaders {
  return text === null ? {} : requestHeaders.parse(JSON.parse(text));
}

/** Null if there is nothing to store. */
export function writeHeaders({ signed, forwarded, isProxy }: RequestHeaders): string | null {
  const text = JSON.stringify({ signed, forwarded, isProxy });
  return text === '{}' ? null : text;
}

/** A verdict as it is stored. */
export interface StoredVerdict {
  readonly verification: Hit['verification'];
  readonly evidence: string;
}

export function storedVerdict({ verification, evidence: proof }: Verdict): StoredVerdict {
  return { verification, evidence: JSON.stringify(proof) };
}

/** The verdict of a hit by itself, even if other hits overrule it. Undefined for an imported hit. */
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

/** The group of a hit by its own verdict. An address that is not a client's has none. */
export function groupOfHit(
  { address, evidence: text }: { address: string | null; evidence: string },
  atMs: number,
  identity: Identity,
): string | null {
  const isClient = !hasReason(text, ['proxy_address', 'private_address']);
  return address === null || !isClient ? null : identity.addressGroup(address, atMs);
}
