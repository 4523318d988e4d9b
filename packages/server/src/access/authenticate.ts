import { hash } from 'node:crypto';
import { Problem } from '../problems.ts';
import type { KeyRecord, Store } from '../storage/store.ts';

/** What a request's key opens. */
export interface Access {
  readonly keyId: string;
  readonly workspaceId: string;
  readonly lastUsedAt: string | null;
}

/**
 * Opens the workspace that an `Authorization` header's key belongs to. Unknown, revoked, expired and
 * malformed keys take the same way and give the same answer, so that none can be told from another.
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
  const token = /^bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
  const key = await store.findKey(hash('sha256', token, 'hex'));
  if (key === undefined || !isLive(key, clock())) throw invalidKey();
  return { keyId: key.id, workspaceId: key.workspace_id, lastUsedAt: key.last_used_at };
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
