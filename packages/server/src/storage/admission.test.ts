import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { sqlitePath } from './open/database-url.ts';
import { databaseFiles } from './sqlite/files/files.ts';
import { openHandle } from './sqlite/handle.ts';

const asking = { endpoint: 'scores', quota: 300, windowSeconds: 3600 };

eachStore('requests that arrive together', (open, dialect) => {
  test('requests that arrive together each get the revision and the quota of their own workspace and endpoint', async () => {
    const { store } = await open();
    const ids = [await aWorkspace(store), await aWorkspace(store), await aWorkspace(store)];
    const revisions = await store.reader.selectFrom('revisions').selectAll().execute();
    const revisionOf = new Map(revisions.map((row) => [row.workspace_id, row.revision]));
    const [first = ''] = ids;
    await store.admit({ ...asking, workspaceId: first });
    const requests = [
      ...ids.map((workspaceId) => ({ ...asking, workspaceId })),
      { ...asking, workspaceId: first, endpoint: 'prompts' },
      { ...asking, workspaceId: first, quota: 0 },
      { ...asking, workspaceId: 'gone' },
    ];
    const answers = await Promise.all(requests.map((request) => store.admit(request)));
    expect(answers.map(({ revision }) => revision)).toEqual(
      requests.map(({ workspaceId }) => revisionOf.get(workspaceId) ?? ''),
    );
    expect(answers.map(({ quota }) => quota?.left)).toEqual([298, 299, 299, 299, undefined, 299]);
    expect(answers.map(({ quotaFailure }) => quotaFailure)).toEqual(requests.map(() => undefined));
  });

  test.runIf(dialect === 'sqlite')(
    'requests that arrive together are counted as well where another process holds the counters for a while',
    async () => {
      const { store, url } = await open();
      await store.admit({ ...asking, workspaceId: 'w' });
      const other = openHandle(databaseFiles(sqlitePath(url)).access);
      onTestFinished(() => other.close());
      other.exec('begin immediate');
      const waiting = ['w', 'w'].map((workspaceId) => store.admit({ ...asking, workspaceId }));
      // As long as a commit takes, and shorter than the wait of a request.
      await setTimeout(25);
      other.exec('commit');
      const answers = await Promise.all(waiting);
      expect(answers.map(({ quota }) => quota?.left)).toEqual([298, 297]);
    },
  );
});
