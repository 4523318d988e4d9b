import { expect, onTestFinished, test } from 'vitest';
import { noon } from '../../../../test/engines/collecting.ts';
import { startJudging } from '../../../../test/engines/judging.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, hiddenField, startWeb } from '../../../../test/browsers/web.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { readStanceBudget } from '../../../collect/stances/stance-budgets.ts';
import type { JobRunner } from '../../../jobs/job-runner.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const clock = () => noon;
const path = '/w/acme/stances/judge';

async function aServer(url: string) {
  const here = await startJudging(url, ['Acme is ideal for small teams.', 'Many use Acme.']);
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const { id: workspaceId } = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .executeTakeFirstOrThrow();
  const jobs: Array<Parameters<JobRunner['add']>[0]> = [];
  const refuse = () => Promise.reject(new Error('not in this test'));
  const web = await startWeb(store, {
    clock,
    runner: {
      add: async (job) => {
        jobs.push(job);
        return 'added';
      },
      retry: refuse,
      preview: refuse,
      stop: () => Promise.resolve(),
    },
  });
  const visitorOf = async (role: 'editor' | 'admin', isOperator = false) =>
    new Visitor(web, await newPerson(store, { workspaceId, role, isOperator, clock }));
  const budget = () => readStanceBudget(store, workspaceId, { clock });
  return { ...here, jobs, visitorOf, budget };
}

const typed = { engine: 'own_api', day: '0.5', month: '4', sample: 'all', daily: 'on', do: 'save' };

eachDatabase('the page of the judge', (create) => {
  test('an admin sees what judging would cost, sets the judge within the operator’s cap, and starts it', async () => {
    const { run, visitorOf, budget, jobs, asked } = await aServer(await create());
    await run('stance off --workspace acme');
    const admin = await visitorOf('admin');
    expect((await admin.get(path)).body).toContain('The operator must allow');
    expect((await admin.post(path, typed)).statusCode).toBe(400);
    expect(await budget()).toBeUndefined();
    await run('budget set --workspace acme --day 1 --month 10');
    expect((await admin.post(path, { ...typed, day: '2' })).body).toContain('at most');
    expect((await admin.post(path, { ...typed, day: 'much' })).statusCode).toBe(400);
    expect(await budget()).toBeUndefined();
    expect((await admin.post(path, typed)).statusCode).toBe(303);
    expect(await budget()).toMatchObject({
      engine: 'own_api',
      dayUsd: 0.5,
      monthUsd: 4,
      sample: null,
      isDaily: true,
    });
    const page = await admin.get(path);
    expect(page.body).toMatch(/Judge 2 answers now, at most \$/);
    const form = hiddenField(page, 'form');
    expect((await admin.post(`${path}/run`, { form })).statusCode).toBe(303);
    expect(jobs).toMatchObject([{ id: form, work: { kind: 'judge' } }]);
    expect(asked).toEqual([]);
    await admin.post(path, { ...typed, do: 'off' });
    expect(await budget()).toBeUndefined();
  });
});
