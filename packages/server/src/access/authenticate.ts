import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Problem } from '../problems.ts';
import type { KeyRecord, Store } from '../storage/store.ts';

/** A key's last use is written at most this often. */
const everyMs = 5 * 60_000;

/** The workspace that a request's key opens. */
export interface Access {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly lastUsedAt: string | null;
}

/**
 * Opens the workspace that an `Authorization` header's key belongs to. Unknown, revoked, expired and
 * malformed keys take the same path and get the same response, so that nobody can distinguish them.
 * Throws `missing_api_key` or `invalid_api_key`.
 */
export async function authenticate(
  authorization: string | undefined,
  { store, clock }: { store: Store; clock: () => number },
): Promise<Access> {
  if (authorization === undefined || authorization.trim() === '') {
    throw new Problem('missing_api_key', 'Send the key as `Authorization: Bearer <key>`.', {
      headers: { 'WWW-Authenticate': 'Bearer realm="overheard"' },
    });
  }
  // No bearer token: look up an empty one anyway, so a malformed key takes as long as an unknown one.
  const token = bearerToken(authorization) ?? '';
  const key = await store.findKey(hash('sha256', token, 'hex'));
  if (key === undefined || !isLive(key, clock())) throw invalidKey();
  return { keyId: key.id, workspaceId: key.workspace_id, lastUsedAt: key.last_used_at };
}

/** The token of an `Authorization` header, if it has one (RFC 6750, 2.1). */
export function bearerToken(authorization: string): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** Whether a key is neither revoked nor expired. */
function isLive({ revoked_at, expires_at }: KeyRecord, nowMs: number): boolean {
  return revoked_at === null && (expires_at === null || nowMs < Date.parse(expires_at));
}

function invalidKey(): Problem {
  return new Problem('invalid_api_key', 'The key is malformed, unknown, revoked or expired.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="overheard", error="invalid_token"' },
  });
}

/**
 * Writes when a key was last used, after the response and at most every five minutes per key. A
 * failure is reported and otherwise ignored.
 */
export function createLastUse({
  store,
  clock,
  onFailure,
}: {
  store: Store;
  clock: () => number;
  onFailure: (error: unknown) => void;
}): (access: Access) => void {
  // Not `max`, because it allocates all entries at once.
  const noted = new LRUCache<string, number>({ maxSize: 10_000, sizeCalculation: () => 1 });

  return function noteUse({ keyId, lastUsedAt }) {
    const nowMs = clock();
    const storedMs = lastUsedAt === null ? undefined : Date.parse(lastUsedAt);
    if (isRecent(noted.get(keyId), nowMs) || isRecent(storedMs, nowMs)) return;
    noted.set(keyId, nowMs);
    setImmediate(() => {
      store.touchKey(keyId, new Date(nowMs).toISOString()).catch((error: unknown) => {
        // Let the next use be written instead.
        noted.delete(keyId);
        onFailure(error);
      });
    });
  };
}

/**
 * Whether a key's last use was written recently. One in the future comes from a wrong clock and is
 * written again.
 */
function isRecent(lastMs: number | undefined, nowMs: number): boolean {
  return lastMs !== undefined && lastMs <= nowMs && nowMs - lastMs < everyMs;
}
