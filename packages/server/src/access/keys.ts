import { hash, randomBytes } from 'node:crypto';
import { base62Digits, keyChecksum, keyPrefix, keyRandomLength } from '@overheard/contract';
import { Refusal } from '../refusals.ts';
import { newId } from '../values/uuid.ts';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { parseWhen } from '../values/time/when.ts';

/** A key in a list, without the key itself, which is not stored. */
export type ListedKey = Pick<AccessTables['keys'], (typeof columns)[number]>;

const columns = [
  'id',
  'workspace_id',
  'name',
  'last_four',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'created_by',
  'revoked_by',
  'replaced_by',
] as const;

/**
 * Makes a key of a workspace and stores its SHA-256. When this returns, the hash is on disk. The
 * key itself is only in the result. `expiresAt` is in normal form. Throws a `Refusal` if the
 * workspace is removed meanwhile.
 */
export async function createKey(
  store: Store,
  {
    workspaceId,
    name,
    expiresAt = null,
    clock,
    id = newId(clock),
    userId = null,
  }: {
    workspaceId: string;
    name: string;
    expiresAt?: string | null;
    clock: () => number;
    id?: string;
    userId?: string | null;
  },
): Promise<{ key: string; record: ListedKey }> {
  const key = newKey();
  const record: ListedKey = {
    id,
    workspace_id: workspaceId,
    name,
    last_four: key.slice(-4),
    created_at: new Date(clock()).toISOString(),
    expires_at: expiresAt,
    last_used_at: null,
    revoked_at: null,
    created_by: userId,
    revoked_by: null,
    replaced_by: null,
  };
  await store.access
    .insertInto('keys')
    .values({ ...record, hash: hash('sha256', key, 'hex') })
    .execute();
  // Check after storing the key, because removing a workspace removes its keys again at the end.
  await refuseRemoved(store, record);
  return { key, record };
}

async function refuseRemoved(store: Store, { id, workspace_id }: ListedKey): Promise<void> {
  const workspace = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspace_id)
    .executeTakeFirst();
  if (workspace !== undefined) return;
  await store.access.deleteFrom('keys').where('id', '=', id).execute();
  throw new Refusal('workspace_removed', {});
}

/** A new random key: 190 bits of chance, and a checksum that finds mistyped ones. */
export function newKey(random: (size: number) => Buffer = randomBytes): string {
  let beginning = keyPrefix;
  while (beginning.length < keyPrefix.length + keyRandomLength) {
    for (const byte of random(keyRandomLength)) {
      // Skip bytes above the last multiple of 62, which would make the first digits likelier.
      const isFair = byte < 256 - (256 % base62Digits.length);
      if (isFair) beginning += base62Digits.charAt(byte % base62Digits.length);
    }
  }
  beginning = beginning.slice(0, keyPrefix.length + keyRandomLength);
  return beginning + keyChecksum(beginning);
}

/** Lists the keys of one or all workspaces, oldest first, including revoked and expired ones. */
export async function listKeys(
  store: Store,
  { workspaceId }: { workspaceId?: string } = {},
): Promise<ListedKey[]> {
  return store.access
    .selectFrom('keys')
    .select(columns)
    .$if(workspaceId !== undefined, (query) => query.where('workspace_id', '=', workspaceId ?? ''))
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Revokes a key that is named by its id, at least the first eight characters of the id, its last
 * four characters, or the whole key. When this returns, the revocation is on disk and applies to
 * the next request in every process. Returns whether the key was revoked already, whose time of
 * revocation then stays. Throws a `Refusal` if no key matches, or more than one.
 */
export async function revokeKey(
  store: Store,
  word: string,
  { clock }: { clock: () => number },
): Promise<{ record: ListedKey; wasRevoked: boolean }> {
  const key = await findKeyByWord(store, word);
  if (key.revoked_at !== null) return { record: key, wasRevoked: true };
  const revokedAt = new Date(clock()).toISOString();
  const updated = await store.access
    .updateTable('keys')
    .set({ revoked_at: revokedAt })
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return { record: { ...key, revoked_at: revokedAt }, wasRevoked: updated.numUpdatedRows === 0n };
}

/** Fewer characters of an id could match the key of a mistyped ending. */
const idPrefixMin = 8;

async function findKeyByWord(store: Store, word: string): Promise<ListedKey> {
  const ofWhole = await store.findKey(hash('sha256', word, 'hex'));
  const keys = await listKeys(store);
  const id = word.toLowerCase();
  const matches = keys.filter(
    (key) =>
      key.id === ofWhole?.id ||
      (id.length >= idPrefixMin && key.id.startsWith(id)) ||
      key.last_four === word,
  );
  const [only, ...others] = matches;
  if (only === undefined) throw new Refusal('key_not_found', {});
  if (others.length > 0) {
    throw new Refusal('key_ambiguous', {
      keys: matches.map((key) => ({ id: key.id, name: key.name })),
    });
  }
  return only;
}

/** The last moment in normal form, with a four-digit year. */
const latest = '9999-12-31T23:59:59.999Z';

/**
 * Reads when a key expires, from an operator's text: a span from now such as `90d`, a day (its
 * beginning, UTC) or a moment with its zone. Returns it in normal form. Throws a `Refusal` for
 * another form, and for a moment in the past.
 */
export function parseExpiry(text: string, { clock }: { clock: () => number }): string {
  const nowMs = clock();
  const atMs = parseWhen(text, { nowMs, spans: 'ahead' });
  if (atMs === undefined) throw new Refusal('key_expiry_malformed', { text });
  if (atMs <= nowMs) throw new Refusal('key_expiry_past', { text });
  if (atMs > Date.parse(latest)) throw new Refusal('key_expiry_too_late', { text });
  return new Date(atMs).toISOString();
}
