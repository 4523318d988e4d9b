import type { Store } from '../storage/store.ts';
import { createKey } from './keys.ts';
import type { ListedKey } from './keys.ts';

/** The key to change, and the person who changes it. */
interface KeyChange {
  readonly workspaceId: string;
  readonly id: string;
  readonly userId: string;
  readonly clock: () => number;
}

/**
 * Revokes a key of a workspace. False if the workspace has no such key, or if the key was revoked
 * already.
 */
export async function revokeKeyOf(
  { access }: Pick<Store, 'access'>,
  { workspaceId, id, userId, clock }: KeyChange,
): Promise<boolean> {
  const { numUpdatedRows } = await access
    .updateTable('keys')
    .set({ revoked_at: new Date(clock()).toISOString(), revoked_by: userId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Makes a key that replaces another, with the same name and lifetime. The old key works for another
 * `overlapMs`, but not beyond its own end. Undefined if the old key is already replaced, revoked or
 * expired. The `access` of the given store must be the caller's transaction.
 */
export async function replaceKey(
  store: Store,
  old: ListedKey,
  {
    newId: id,
    userId,
    overlapMs,
    clock,
  }: { newId: string; userId: string; overlapMs: number; clock: () => number },
): Promise<{ key: string; record: ListedKey } | undefined> {
  const nowMs = clock();
  const now = new Date(nowMs).toISOString();
  const end = new Date(nowMs + overlapMs).toISOString();
  const isEarlier = old.expires_at !== null && old.expires_at < end;
  const { numUpdatedRows } = await store.access
    .updateTable('keys')
    .set({
      replaced_by: id,
      expires_at: isEarlier ? old.expires_at : end,
      ...(overlapMs === 0 && { revoked_at: now, revoked_by: userId }),
    })
    .where('id', '=', old.id)
    .where('workspace_id', '=', old.workspace_id)
    .where('replaced_by', 'is', null)
    .where('revoked_at', 'is', null)
    .where((or) => or.or([or('expires_at', 'is', null), or('expires_at', '>', now)]))
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return undefined;
  const lastsMs =
    old.expires_at === null ? undefined : Date.parse(old.expires_at) - Date.parse(old.created_at);
  const expiresAt = lastsMs === undefined ? null : new Date(nowMs + lastsMs).toISOString();
  const { workspace_id: workspaceId, name } = old;
  return createKey(store, { workspaceId, name, expiresAt, clock, id, userId });
}
