import { createHash, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../values/json.ts';
import { createMemo } from '../../values/memo.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import type { FileVersion } from './file-versions.ts';
import { MalformedList } from './list-file.ts';

/** A directory says which keys were valid so long before and after it was fetched. */
const keysNearMs = 30 * dayMs;

/** Ids of key directories among the operators' files. */
export const directoryPrefix = 'web-bot-auth/';

const key = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  nbf: z.number().optional(),
  exp: z.number().optional(),
});

const directory = z.object({ keys: z.array(z.unknown()) });
const keptKeys = z.array(key);

/** Where an agent publishes its keys. */
export function directoryUrl(agent: string): string {
  return `https://${agent}/.well-known/http-message-signatures-directory`;
}

/** Reads a key directory (a JWKS) as it is stored. Throws a `MalformedList` if it has no Ed25519 key. */
export function parseDirectory(text: string): string {
  const parsed = directory.safeParse(parseJson(text));
  const keys = (parsed.data?.keys ?? []).flatMap((candidate) => {
    const validKey = key.safeParse(candidate);
    return validKey.success ? [validKey.data] : [];
  });
  if (keys.length === 0) throw new MalformedList({ kind: 'no_key' });
  return JSON.stringify(keys.toSorted((left, right) => (left.x < right.x ? -1 : 1)));
}

/** Finds the key of an agent that a signature names, if it was valid at a moment. */
export type KeyFinder = (agent: string, keyId: string, atMs: number) => KeyObject | undefined;

/** Makes a finder of the directories kept. */
export function createKeyFinder(files: ReadonlyMap<string, readonly FileVersion[]>): KeyFinder {
  const keyOf = createMemo((x) => createPublicKey({ key: publicJwk(x), format: 'jwk' }));
  return function findKey(agent, keyId, atMs) {
    const versions = files.get(directoryPrefix + agent) ?? [];
    const near = versions.filter(
      ({ firstMs, lastMs }) => firstMs - keysNearMs <= atMs && atMs <= lastMs + keysNearMs,
    );
    const nearest = near
      .flatMap(({ content }) => keptKeys.parse(JSON.parse(content)))
      .find((candidate) => thumbprint(candidate.x) === keyId && isValidAt(candidate, atMs));
    return nearest && keyOf(nearest.x);
  };
}

/** RFC 7638 with the members that RFC 8037 names for this kind of key. */
function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify(publicJwk(x)))
    .digest('base64url');
}

function publicJwk(x: string): { crv: string; kty: string; x: string } {
  return { crv: 'Ed25519', kty: 'OKP', x };
}

/** Directories give seconds, some milliseconds. */
function isValidAt({ nbf, exp }: z.output<typeof key>, atMs: number): boolean {
  const toMs = (time: number): number => (time < 1e11 ? time * 1000 : time);
  return (nbf === undefined || toMs(nbf) <= atMs) && (exp === undefined || atMs < toMs(exp));
}
