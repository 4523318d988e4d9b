// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { aRunner, reached } from '../../test/commands/jobs.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { addDailyJobs } from './add-daily-jobs.ts';
import type { JobRunner } from './job-runner.ts';
import { listJobs } from './jobs.ts';

eachStore('gaps that servers find', (open) => {
  test('two servers find a day’s gaps once, and again after new answers', async () => {
    const place = await open();
    const { store } = place;
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [
      {
        prompt: 'Which CRM?',
        engine: 'chatgpt',
        run_at: '2026-11-19T01:00:00Z',
        answer: 'Globex.',
      },
    ]);
    const servers = [aServer(store, aRunner(place)), aServer(store, aRunner(place))];
    const jobs = () => listJobs(store.access, { workspaceId, kind: 'gaps', limit: 9 });
    await expect.poll(() => servers.every((server) => server.looks() > 1)).toBe(true);
    const [daily, ...others] = await jobs();
    expect(others).toEqual([]);
    expect(daily).toMatchObject({ userId: null });
    await reached(store, { workspaceId, id: daily?.id ?? '' });
    servers[0]?.collected.add(workspaceId);
    await expect.poll(() => servers[0]?.collected.size).toBe(0);
    expect(await jobs()).toHaveLength(2);
    servers[0]?.passDay();
    await expect.poll(async () => (await jobs()).length).toBe(3);
    // The job of the day may have ended before these answers came.
    servers[1]?.collected.add(workspaceId);
    servers[1]?.passDay();
    await expect.poll(async () => (await jobs()).length).toBe(4);
  });
});

/** A server whose looks are counted: each reads the workspaces once. */
function aServer(store: Store, runner: JobRunner) {
  const stop = new AbortController();
  const collected = new Set<string>();
  let nowMs = now;
  let looks = 0;
  const counting = {
    mapFailure: store.mapFailure,
    get reader() {
      looks += 1;
      return store.reader;
    },
  };
  const running = addDailyJobs(counting, {
    runner,
    collected,
    judgedDaily: async () => new Set(),
    clock: () => nowMs,
    signal: stop.signal,
    onFailure: (error) => {
      throw error;
    },
    waitMs: 20,
  });
  // The store closes after this, and a look that is under way reads from it.
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  return { collected, looks: () => looks, passDay: () => (nowMs += 86_400_000) };
}
