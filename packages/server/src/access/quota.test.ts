import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { readQuotaUse } from '../storage/quota.ts';

const windowSeconds = 3600;
const windowMs = windowSeconds * 1000;
const beginning = Date.parse('2026-11-20T12:00:00.000Z');

/** One request of one workspace to one endpoint, some time after the one before. */
const request = fc.record({
  aheadMs: fc.oneof(
    { weight: 6, arbitrary: fc.nat({ max: windowMs / 4 }) },
    { weight: 4, arbitrary: fc.constantFrom(0, 1, windowMs - 1, windowMs, windowMs + 1) },
    { weight: 3, arbitrary: fc.constant(-3 * windowMs) },
    { weight: 2, arbitrary: fc.constant(beginning - Date.parse('2031-05-05T05:05:05.005Z')) },
    { weight: 2, arbitrary: fc.constant(Date.parse('2031-05-05T05:05:05.005Z') - beginning) },
  ),
  workspaceId: fc.constantFrom('one', 'one', 'two'),
  endpoint: fc.constantFrom('scores', 'prompts'),
});

/** The times that count: future times count as now, times over an hour ago do not count. */
function counted(times: readonly number[], nowMs: number): number[] {
  return times.map((time) => Math.min(time, nowMs)).filter((time) => time > nowMs - windowMs);
}

eachStore('the quota', (open) => {
  test('the quota admits like an exact list of times, whatever the clock does, separately for each workspace and endpoint', async () => {
    let now = beginning;
    const { store } = await open({ clock: () => now });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(request, { maxLength: 40 }),
        async (quota, requests) => {
          const lists = new Map<string, number[]>();
          now = beginning;
          runs += 1;
          for (const { aheadMs, workspaceId, endpoint } of requests) {
            now += aheadMs;
            const list = counted(lists.get(`${workspaceId} ${endpoint}`) ?? [], now);
            const isAdmitted = list.length < quota;
            if (isAdmitted) list.push(now);
            lists.set(`${workspaceId} ${endpoint}`, list);

            const { quota: state } = await store.admit({
              workspaceId: `${workspaceId}-${runs}`,
              endpoint,
              quota,
              windowSeconds,
            });
            const [oldest = now] = list;
            expect(state).toEqual({
              isAdmitted,
              left: quota - list.length,
              resetSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)),
            });
            // No wait is longer than an hour, and no number is negative.
            expect(state?.left).toBeGreaterThanOrEqual(0);
            expect(state?.resetSeconds).toBeLessThanOrEqual(windowSeconds);
          }
        },
      ),
      { numRuns: cases(40) },
    );
  });

  test('the quota admits requests again at the second that it named, not before', async () => {
    let now = beginning;
    const { store } = await open({ clock: () => now });
    const ask = async () =>
      (await store.admit({ workspaceId: 'w', endpoint: 'scores', quota: 2, windowSeconds })).quota;
    await ask();
    now += 600_000;
    await ask();
    now += 1;
    expect(await ask()).toEqual({ isAdmitted: false, left: 0, resetSeconds: 3000 });
    // Refusals do not lengthen the wait.
    now += 3_000_000 - 2;
    expect(await ask()).toEqual({ isAdmitted: false, left: 0, resetSeconds: 1 });
    now += 1;
    expect(await ask()).toEqual({ isAdmitted: true, left: 0, resetSeconds: 600 });
  });

  test('a lowered quota refuses until enough requests are an hour old; a raised one admits at once', async () => {
    let now = beginning;
    const { store } = await open({ clock: () => now });
    const ask = async (quota: number) =>
      (await store.admit({ workspaceId: 'w', endpoint: 'scores', quota, windowSeconds })).quota;
    for (let minute = 0; minute < 5; minute++) {
      await ask(5);
      now += 60_000;
    }
    // Five count, at minutes 0 to 4; with a quota of 2 the fourth must leave before there is room.
    expect(await ask(2)).toEqual({ isAdmitted: false, left: 0, resetSeconds: 3600 - 2 * 60 + 0 });
    expect((await ask(6))?.isAdmitted).toBe(true);
  });

  test('the used quota is of the last hour alone, also before the next request', async () => {
    let now = Date.now() - windowMs - 1;
    const clock = () => now;
    const { store } = await open({ clock });
    const ask = { workspaceId: 'w', quota: 2, windowSeconds };
    await store.admit({ ...ask, endpoint: 'scores' });
    now = Date.now();
    await store.admit({ ...ask, endpoint: 'prompts' });
    const used = await readQuotaUse(store, 'w', { windowMs, clock });
    expect([used.get('scores') ?? 0, used.get('prompts')]).toEqual([0, 1]);
  });

  test('a quota of 0 counts nothing', { tags: ['once'] }, async () => {
    const { store } = await open({ clock: () => beginning });
    const lifted = { workspaceId: 'w', endpoint: 'scores', quota: 0, windowSeconds };
    for (let index = 0; index < 3; index++) {
      expect((await store.admit(lifted)).quota).toBeUndefined();
    }
    expect((await store.admit({ ...lifted, quota: 1 })).quota?.isAdmitted).toBe(true);
  });

  test('the quota is exact under any number of requests at once', async () => {
    const { store } = await open({ clock: () => beginning });
    const answers = await Promise.all(
      Array.from({ length: 120 }, async () =>
        store.admit({ workspaceId: 'w', endpoint: 'scores', quota: 50, windowSeconds }),
      ),
    );
    expect(answers.filter(({ quota }) => quota?.isAdmitted)).toHaveLength(50);
    const left = answers.filter(({ quota }) => quota?.isAdmitted).map(({ quota }) => quota?.left);
    expect(new Set(left).size).toBe(50);
  });
});
