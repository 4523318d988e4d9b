import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { StatementSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newTenant, nowMs } from '../../../test/servers/api.ts';
import { recordStatements } from '../../../test/stores/statements.ts';
import { authenticate } from '../../access/authenticate.ts';
import { createKey, revokeKey } from '../../access/keys.ts';
import { openStore } from '../open/open-store.ts';

const clock = (): number => nowMs;

test('a key that is unknown, revoked, expired or malformed runs the same statements and reads as many rows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = await openStore(join(folder, 'test.db'), { mayCreate: true });
  onTestFinished(() => store.close());
  const { workspaceId, key: live } = await newTenant(store);
  const revoked = await createKey(store, { workspaceId, name: 'revoked', clock });
  await revokeKey(store, revoked.record.id, { clock });
  const expiresAt = new Date(nowMs - 1).toISOString();
  const expired = await createKey(store, { workspaceId, name: 'expired', expiresAt, clock });

  const get = vi.spyOn(StatementSync.prototype, 'get');
  onTestFinished(() => get.mockRestore());
  const { sent } = recordStatements();
  const costOf = async (authorization: string) => {
    const before = sent().length;
    get.mockClear();
    const opens = await authenticate(authorization, { store, clock }).then(
      () => true,
      () => false,
    );
    const rows = get.mock.results.map(({ value }) => Object.keys(value ?? {}).length);
    return {
      opens,
      rows,
      texts: sent()
        .slice(before)
        .map(({ text }) => text),
    };
  };
  const [unknown, ...others] = [
    await costOf(`Bearer ${hash('sha256', 'unknown')}`),
    await costOf(`Bearer ${revoked.key}`),
    await costOf(`Bearer ${expired.key}`),
    await costOf('Bearer malformed'),
    await costOf('Basic YTpi'),
  ];
  expect(unknown?.opens).toBe(false);
  expect(unknown?.rows).toHaveLength(1);
  expect(unknown?.rows[0]).toBeGreaterThan(1);
  for (const other of others) expect(other).toEqual(unknown);
  expect(await costOf(`Bearer ${live}`)).toMatchObject({ opens: true, rows: unknown?.rows });
});
