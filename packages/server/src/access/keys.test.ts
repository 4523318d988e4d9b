import { isWellFormedKey, keyPattern, keyPrefix } from '@overheard/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { openStore } from '../storage/open/open-store.ts';
import { newId } from '../values/uuid.ts';
import { authenticate } from './authenticate.ts';
import { replaceKey } from './change-key.ts';
import { createKey, listKeys, newKey, parseExpiry, revokeKey } from './keys.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

eachStore('keys', (open) => {
  test('a new key opens its workspace, and is nowhere in the database', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { key, record } = await createKey(store, { workspaceId, name: 'ci', clock });
    expect(isWellFormedKey(key)).toBe(true);
    expect(record.last_four).toBe(key.slice(-4));
    expect(await authenticate(`Bearer ${key}`, { store, clock })).toMatchObject({
      keyId: record.id,
      workspaceId,
    });
    const rows = await sql`select * from keys`.execute(store.access);
    expect(JSON.stringify(rows)).not.toMatch(keyPattern);
    expect(JSON.stringify(rows)).not.toContain(key.slice(10, 20));
  });

  test('keys are listed oldest first, of one workspace or of all', { tags: ['once'] }, async () => {
    const { store } = await open();
    let now = clock();
    const make = (workspaceId: string, name: string) =>
      createKey(store, { workspaceId, name, clock: () => now++ });
    const [one, two] = [await aWorkspace(store), await aWorkspace(store)];
    await make(one, 'a');
    await make(two, 'b');
    await make(one, 'c');
    expect((await listKeys(store)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const ofOne = await listKeys(store, { workspaceId: one });
    expect(ofOne.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(Object.keys(ofOne[0] ?? {})).not.toContain('hash');
  });

  test('a revoked key opens nothing in another process; revoking it again keeps its time', async () => {
    const { store, url } = await open();
    const other = await openStore(url);
    try {
      const workspaceId = await aWorkspace(store);
      const { key, record } = await createKey(store, { workspaceId, name: 'ci', clock });
      await authenticate(`Bearer ${key}`, { store: other, clock });
      expect((await revokeKey(store, record.id, { clock })).wasRevoked).toBe(false);
      await expect(authenticate(`Bearer ${key}`, { store: other, clock })).rejects.toMatchObject({
        code: 'invalid_api_key',
      });
      const again = await revokeKey(store, record.id, { clock: () => clock() + 1000 });
      expect(again).toMatchObject({
        wasRevoked: true,
        record: { revoked_at: '2026-11-20T12:34:56.789Z' },
      });
    } finally {
      await other.close();
    }
  });

  test('a key is named by its id, the beginning of the id, its last four characters or itself', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    for (const word of [
      (id: string) => id.toUpperCase(),
      (id: string) => id.slice(0, 30),
      (_: string, key: string) => key.slice(-4),
      (_: string, key: string) => key,
    ]) {
      const { key, record } = await createKey(store, { workspaceId, name: 'ci', clock });
      const revoked = await revokeKey(store, word(record.id, key), { clock });
      expect(revoked.record.id).toBe(record.id);
    }
  });

  test(
    'a word that matches no key or several keys revokes nothing',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const { record } = await createKey(store, { workspaceId, name: 'a', clock });
      await createKey(store, { workspaceId, name: 'b', clock });
      await expect(revokeKey(store, 'zzzz', { clock })).rejects.toThrow('key_not_found');
      await expect(revokeKey(store, '', { clock })).rejects.toThrow('key_not_found');
      await expect(revokeKey(store, record.id.slice(0, 8), { clock })).rejects.toThrow(
        'key_ambiguous',
      );
      expect((await listKeys(store)).every(({ revoked_at }) => revoked_at === null)).toBe(true);
    },
  );

  test('an expired key opens nothing from its moment on', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const expiresAt = parseExpiry('1h', { clock });
    const { key } = await createKey(store, { workspaceId, name: 'ci', expiresAt, clock });
    const at = Date.parse(expiresAt);
    await authenticate(`Bearer ${key}`, { store, clock: () => at - 1 });
    const late = authenticate(`Bearer ${key}`, { store, clock: () => at });
    await expect(late).rejects.toMatchObject({ code: 'invalid_api_key' });
  });

  test.each([
    ['30d', 'the end of the overlap', '2026-11-21T12:34:56.789Z'],
    ['1h', 'its own end', '2026-11-20T13:34:56.789Z'],
  ])('a replaced key of %s opens nothing from %s on', async (lifetime, _, end) => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { id: userId } = await newPerson(store, { workspaceId, role: 'admin' });
    const expiresAt = parseExpiry(lifetime, { clock });
    const { key, record } = await createKey(store, { workspaceId, name: 'ci', expiresAt, clock });
    const overlapMs = 24 * 3_600_000;
    await replaceKey(store, record, { newId: newId(clock), userId, overlapMs, clock });
    const at = Date.parse(end);
    await authenticate(`Bearer ${key}`, { store, clock: () => at - 1 });
    const late = authenticate(`Bearer ${key}`, { store, clock: () => at });
    await expect(late).rejects.toMatchObject({ code: 'invalid_api_key' });
  });
});

describe('a new key', () => {
  test('a new key uses each digit for equally many bytes, and skips bytes past the last multiple of 62', () => {
    const bytesOf = Map.groupBy(
      Array.from({ length: 256 }, (_, byte) => byte),
      (byte) => {
        let asked = 0;
        // The byte under test, then the byte 0 in case the first one is rejected.
        const key = newKey((size) => Buffer.alloc(size, asked++ === 0 ? byte : 0));
        return key.charAt(keyPrefix.length);
      },
    );
    const first = bytesOf.get('0');
    expect(first).toEqual([
      0,
      62,
      124,
      186,
      ...Array.from({ length: 8 }, (_, index) => 248 + index),
    ]);
    bytesOf.delete('0');
    expect([...bytesOf.values()].map((bytes) => bytes.length)).toEqual(Array(61).fill(4));
  });

  test('a new key differs from every other', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newKey())).size).toBe(1000);
  });
});

describe('--expires', () => {
  test.each([
    ['12h', '2026-11-21T00:34:56.789Z'],
    ['90d', '2027-02-18T12:34:56.789Z'],
    ['1y', '2027-11-20T12:34:56.789Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:00+02:00', '2027-01-31T10:00:00.000Z'],
  ])('a key made with --expires %s expires at %s', (given, stored) => {
    expect(parseExpiry(given, { clock })).toBe(stored);
  });

  test.each([
    '',
    '0d',
    '-1d',
    '2026-11-20T12:34:56.789Z',
    '2027-02-30',
    '2027-01-31T12:00',
    '99999y',
  ])('%j is refused as wrong usage', (given) => {
    expect(() => parseExpiry(given, { clock })).toThrow(
      expect.objectContaining({ name: 'Refusal' }),
    );
  });
});
