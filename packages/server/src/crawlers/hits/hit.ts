import type { HitRow } from '@overheard/contract';
import { z } from 'zod';
import type { SignatureHeaders } from '../log-line.ts';
import { reasons } from '../verify/verdict.ts';
import type { Evidence, Verdict } from '../verify/verdict.ts';

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

const reason = z.enum(Object.keys(reasons)).pipe(z.custom<Evidence['reason']>(isReason));

const ownEvidence = z.looseObject({ reason });

const evidence = z.looseObject({
  reason,
  list: z.string().exactOptional(),
  list_first_at: z.string().exactOptional(),
  list_last_at: z.string().exactOptional(),
  prefix: z.string().exactOptional(),
  host_name: z.string().exactOptional(),
  asked_at: z.string().exactOptional(),
  agent: z.string().exactOptional(),
  detail: z.string().exactOptional(),
  own: z
    .object({ verification: z.enum(['verified', 'spoofed', 'unverified']), evidence: ownEvidence })
    .exactOptional(),
});

const signedRequest = z.object({
  /** With its query, which a signature may cover although the hit's path leaves it out. */
  target: z.string(),
  signatureAgent: z.string(),
  signatureInput: z.string(),
  signature: z.string(),
  authority: z.string().nullable(),
  scheme: z.enum(['http', 'https']),
});

/** Reads the evidence of a row; undefined for an imported one, which has none. */
export function readEvidence(text: string | null): Evidence | undefined {
  return text === null ? undefined : evidence.parse(JSON.parse(text));
}

/** What a signed request is verified by, as it is kept. */
export type SignedRequest = SignatureHeaders & { readonly target: string };

/** Reads what a row keeps of a signed request; null where it was not signed. */
export function readSigned(text: string | null): SignedRequest | null {
  return text === null ? null : signedRequest.parse(JSON.parse(text));
}

/** The verdict of a hit by itself, whatever its neighbours have done to it. */
export function ownVerdict({
  verification,
  evidence: text,
}: Pick<Hit, 'verification' | 'evidence'>): Verdict | undefined {
  const kept = readEvidence(text);
  return kept === undefined ? undefined : (kept.own ?? { verification, evidence: kept });
}

function isReason(value: unknown): value is Evidence['reason'] {
  return typeof value === 'string' && Object.hasOwn(reasons, value);
}
