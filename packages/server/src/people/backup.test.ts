import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { storeGrant } from '../../test/servers/assistants.ts';
import { openStore } from '../storage/open/open-store.ts';
import { backupFiles } from '../storage/sqlite/backup/backup-files.ts';
import { databaseFiles } from '../storage/sqlite/files/files.ts';
import { isKnownDevice } from './sign-in.ts';
import { findLink, makeLink } from './links.ts';
import { listMembers } from './members.ts';
import { findSession } from './sessions.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

test('a backup keeps people and their roles, and nothing that signs them in', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-people-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'overheard.db');
  const store = await openStore(path, { mayCreate: true });
  const workspaceId = await aWorkspace(store);
  const person = await newPerson(store, { workspaceId, role: 'admin', clock });
  const { id: userId, email } = person;
  const link = await makeLink(store.access, { user: { id: userId, email }, userId: null, clock });
  await storeGrant(store, { workspaceId, userId, clock });
  await store.close();
  await backupFiles(databaseFiles(path), join(folder, 'backup'), { clock });

  const copy = await openStore(join(folder, 'backup', 'overheard.db'));
  try {
    expect(await listMembers(copy.access, workspaceId)).toMatchObject([{ email, role: 'admin' }]);
    expect(await findSession(copy.access, person.session, { clock })).toBeUndefined();
    expect(await findLink(copy.access, link, { clock })).toBeUndefined();
    for (const table of ['oauth_grants', 'oauth_codes', 'oauth_tokens'] as const) {
      expect(await copy.access.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    expect(await isKnownDevice(copy.access, { token: person.device, userId })).toBe(false);
  } finally {
    await copy.close();
  }
});
