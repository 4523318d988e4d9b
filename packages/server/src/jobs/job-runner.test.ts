// @module-tag slow
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { aWorkspace, importRows } from '../../test/answers/answers.ts';
import { aRunner, reached } from '../../test/commands/jobs.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { openStore } from '../storage/open/open-store.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { newId } from '../values/uuid.ts';
import { listSubjects, versionOf } from '../workspaces/subject.ts';
import { addJob, claimJob, findJob, listActive } from './jobs.ts';
import type { Work } from './work.ts';

const userId = '01a20294-0859-735c-b244-f3778434af10';
const clock = Date.now;
const redetection: Work = { kind: 'redetect' };
const upload = {
  kind: 'import',
  rows: 'answers',
  file: 'a.csv',
  bytes: 1,
  hasNewEngine: false,
} as const;
const answer = {
  prompt: 'Which CRM?',
  engine: 'chatgpt',
  run_at: '2026-11-19T12:00:00Z',
  answer: 'Take Acme or Umbrella.',
};

eachStore('jobs', (open, dialect) => {
  test('a subject is saved and the stored answers are judged again, once for each form', async () => {
    const place = await open();
    const { store } = place;
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [answer]);
    const runner = aRunner(place);
    const words = { name: 'Umbrella', aliases: [], domains: [], paths: [] };
    const id = newId(clock);
    const change = { action: 'add', id: newId(clock), words } as const;
    const work: Work = { kind: 'redetect', change };
    expect(await runner.add({ workspaceId, id, work, userId })).toBe('added');
    expect(await runner.add({ workspaceId, id, work, userId })).toBe('known');
    expect(await runner.add({ workspaceId, id: newId(clock), work, userId })).toBe('busy');
    const job = await reached(store, { workspaceId, id });
    expect(job).toMatchObject({
      state: 'done',
      outcome: { result: { judged: 1, recited: 1, gaps: 0 } },
    });
    const cited = await store.reader
      .selectFrom('detections')
      .select('cited')
      .where('workspace_id', '=', workspaceId)
      .where('subject_id', '=', change.id)
      .executeTakeFirst();
    expect(Boolean(cited?.cited)).toBe(true);
    const again = { workspaceId, id: newId(clock) };
    expect(await runner.add({ ...again, work, userId })).toBe('added');
    expect(await reached(store, again)).toMatchObject({ state: 'done' });
  });

  test(
    'if two people change one subject, the second gets a message, and nothing is lost',
    { tags: ['once'] },
    async () => {
      const place = await open();
      const { store } = place;
      const workspaceId = await aWorkspace(store);
      const runner = aRunner(place);
      const [, globex] = await listSubjects(store.reader, workspaceId);
      if (globex === undefined) throw new Error('No competitor');
      const version = versionOf(globex);
      const save = async (name: string) => {
        const words = { name, aliases: [], domains: [], paths: [] };
        const change = { action: 'set', id: globex.id, version, words } as const;
        const key = { workspaceId, id: newId(clock) };
        await runner.add({ ...key, work: { kind: 'redetect', change }, userId });
        return reached(store, key);
      };
      expect(await save('Globex Group')).toMatchObject({ state: 'done' });
      expect(await save('Globex Group')).toMatchObject({ state: 'done' });
      const refusal = { code: 'subject_changed', facts: { name: 'Globex Group' } };
      expect(await save('Globex Ltd')).toMatchObject({ state: 'failed', outcome: { refusal } });
      expect((await listSubjects(store.reader, workspaceId))[1]?.name).toBe('Globex Group');
    },
  );

  test('a waiting job that two servers see is done by one of them', async () => {
    const { store } = await open();
    const key = { workspaceId: await aWorkspace(store), id: newId(clock) };
    await addJob(store, { ...key, work: redetection, owner: null, userId, clock });
    expect(await claimJob(store, key, 'one')).toMatchObject({ state: 'running' });
    expect(await claimJob(store, key, 'two')).toBeUndefined();
  });

  test('the import of a server that died ends as lost, its redetection is done by another server', async () => {
    const place = await open();
    const { store } = place;
    const workspaceId = await aWorkspace(store);
    const works: readonly Work[] = [redetection, upload];
    const ids = works.map(() => newId(clock));
    for (const [index, work] of works.entries()) {
      const key = { workspaceId, id: ids[index] ?? '' };
      await addJob(store, { ...key, work, owner: 'gone', userId, clock });
    }
    await silence(store, workspaceId);
    aRunner(place);
    const [repeated, lost] = await Promise.all(
      ids.map((id) => reached(store, { workspaceId, id })),
    );
    expect(repeated).toMatchObject({ state: 'done' });
    expect(lost).toMatchObject({ state: 'failed', outcome: { failure: 'lost' } });
  });

  test.for([-3_600_000, 3_600_000])(
    'a server whose clock is wrong by %i ms leaves the import of a live one, and finishes the job of a dead one',
    { tags: ['once'] },
    async (skewMs) => {
      const place = await open();
      const { store } = place;
      const [alive, dead] = [await aWorkspace(store), await aWorkspace(store)];
      const skewed = () => Date.now() + skewMs;
      const theirs = { workspaceId: alive, id: newId(clock) };
      await addJob(store, { ...theirs, work: upload, owner: 'alive', userId, clock });
      await claimJob(store, theirs, 'alive');
      const orphan = { workspaceId: dead, id: newId(clock) };
      await addJob(store, { ...orphan, work: redetection, owner: 'dead', userId, clock });
      await silence(store, dead);
      // The runner checks jobs in the order of their ids.
      aRunner(place, { clock: skewed });
      expect(await reached(store, orphan)).toMatchObject({ state: 'done' });
      expect(await findJob(store.access, theirs)).toMatchObject({ state: 'running' });
    },
  );

  test.runIf(dialect === 'postgres')(
    'a live server whose connection has another time zone does not count as dead',
    async () => {
      const { store, url } = await open();
      const elsewhere = new URL(url);
      elsewhere.searchParams.set('options', '-c TimeZone=America/New_York');
      const other = await openStore(elsewhere.href);
      onTestFinished(() => other.close());
      const key = { workspaceId: await aWorkspace(store), id: newId(clock) };
      await addJob(other, { ...key, work: redetection, owner: 'alive', userId, clock });
      expect(await listActive(store)).toMatchObject([{ id: key.id, is_silent: false }]);
    },
  );

  test(
    'a server that stops leaves its redetection to the next one, which finishes it',
    { tags: ['once'] },
    async () => {
      const place = await open();
      const { store } = place;
      const workspaceId = await aWorkspace(store);
      const held = Promise.withResolvers<{ hasChanged: boolean }>();
      const writing = writeWorkspace(store, workspaceId, () => held.promise);
      const first = aRunner(place);
      const key = { workspaceId, id: newId(clock) };
      await first.add({ ...key, work: redetection, userId });
      await reached(store, key, ['running']);
      await first.stop({ graceMs: 100 });
      expect(await findJob(store.access, key)).toMatchObject({ state: 'waiting' });
      held.resolve({ hasChanged: false });
      await writing;
      aRunner(place);
      expect(await reached(store, key)).toMatchObject({ state: 'done' });
    },
  );

  test(
    'a job whose thread dies while the database is away ends when the database is back',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      let isAway = false;
      const lost: Store = {
        ...store,
        get access() {
          if (isAway) throw new Error('away');
          return store.access;
        },
      };
      const failures: unknown[] = [];
      const onFailure = (error: unknown) => failures.push(error);
      const nowhere = `file:${join(tmpdir(), newId(clock), 'no.db')}`;
      const runner = aRunner({ store: lost, url: nowhere }, { onFailure, threadsMax: 1 });
      const key = { workspaceId, id: newId(clock) };
      await runner.add({ ...key, work: upload, userId, fd: aFile('x') });
      isAway = true;
      const died = () => failures.map(String).join().includes('could not begin');
      await expect.poll(died).toBe(true);
      isAway = false;
      const first = await reached(store, key);
      expect(first).toMatchObject({ state: 'failed', outcome: { failure: 'lost' } });
      const next = { workspaceId, id: newId(clock) };
      await runner.add({ ...next, work: upload, userId, fd: aFile('x') });
      expect(await reached(store, next)).toMatchObject({ state: 'failed' });
    },
  );
});

/** Sets the last heartbeat of the owners of a workspace's jobs back by a minute. */
async function silence(store: Store, workspaceId: string): Promise<void> {
  const beatAt = new Date(Date.now() - 60_000).toISOString();
  await store.access
    .updateTable('jobs')
    .set({ beat_at: beatAt })
    .where('workspace_id', '=', workspaceId)
    .execute();
}

/** An open file whose name was removed. */
function aFile(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-job-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'upload');
  writeFileSync(path, text);
  return openSync(path, 'r');
}
