import { expect, test } from 'vitest';
import { addJob, findJob } from '../../src/jobs/jobs.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { writeWorkspace } from '../../src/storage/write.ts';
import { newId } from '../../src/values/uuid.ts';
import { aWorkspace } from '../answers/answers.ts';
import { reached } from '../commands/jobs.ts';
import { startServer } from './server-process.ts';
import { eachDatabase } from '../stores/stores.ts';

const clock = Date.now;

eachDatabase('a server with a job under way', (create, _, atTheEnd) => {
  test(
    'a server with an open job stops at SIGTERM, and after kill -9 the next server does the job',
    { tags: ['long'] },
    async () => {
      const url = await create();
      const store = await openStore(url, { mayCreate: true });
      atTheEnd(() => store.close());
      const workspaceId = await aWorkspace(store);
      const key = { workspaceId, id: newId(clock) };
      const job = { ...key, work: { kind: 'redetect' as const }, owner: null, userId: '', clock };

      const stopped = await startServer(url);
      // The job waits for this writer, as it would for a long import.
      const held = Promise.withResolvers<{ hasChanged: boolean }>();
      const writing = writeWorkspace(store, workspaceId, () => held.promise);
      await addJob(store, job);
      await reached(store, key, ['running']);
      expect(await stopped.stop('SIGTERM')).toMatchObject({ code: 0 });
      expect(await findJob(store.access, key)).toMatchObject({ state: 'waiting' });

      const killed = await startServer(url);
      await reached(store, key, ['running']);
      await killed.stop('SIGKILL');
      expect(await findJob(store.access, key)).toMatchObject({ state: 'running' });
      held.resolve({ hasChanged: false });
      await writing;
      const minuteAgo = new Date(clock() - 60_000).toISOString();
      await store.access.updateTable('jobs').set({ beat_at: minuteAgo }).execute();
      await startServer(url);
      expect(await reached(store, key)).toMatchObject({ state: 'done' });
    },
  );
});
