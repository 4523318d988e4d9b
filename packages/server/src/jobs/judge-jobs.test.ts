// @module-tag slow
import { expect, onTestFinished, test } from 'vitest';
import { aRunner, reached } from '../../test/commands/jobs.ts';
import { plantedKey } from '../../test/engines/collecting.ts';
import { startJudging } from '../../test/engines/judging.ts';
import { eachDatabase } from '../../test/stores/stores.ts';
import { requireLedger } from '../collect/ledger/require-ledger.ts';
import { claimJudgement } from '../collect/stances/claim-judgement.ts';
import { judgeToAsk } from '../collect/stances/judge-engine.ts';
import { openStore } from '../storage/open/open-store.ts';
import { newId } from '../values/uuid.ts';
import { findWorkspace } from '../workspaces/workspaces.ts';
import { addDailyJobs } from './add-daily-jobs.ts';
import { doWork } from './do-work.ts';
import { addJob, listJobs } from './jobs.ts';
import { workspacesToJudge } from './workspaces-to-judge.ts';

const asking = { environment: { OWN_KEY: plantedKey }, atOnce: 2, prices: [] };
const set = 'stance set --workspace acme --engine own_api --day 1 --month 10 --daily';

async function aPlace(url: string) {
  const answers = ['Acme is here.', 'Globex and Acme.'];
  const here = await startJudging(url, answers, { nowMs: Date.now() });
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const { id: workspaceId } = await findWorkspace(store.reader, 'acme');
  const jobs = () => listJobs(store.access, { workspaceId, kind: 'judge', limit: 9 });
  return { here, url, store, workspaceId, jobs };
}

eachDatabase({ title: 'jobs that judge', onBoth: true }, (create, dialect) => {
  test(
    'a job judges the answers of its workspace, and doing it again asks nothing',
    { tags: ['once'] },
    async () => {
      const place = await aPlace(await create());
      const { here, store, workspaceId } = place;
      const runner = aRunner(place, { asking });
      const judged = async () => {
        const key = { workspaceId, id: newId(Date.now) };
        await runner.add({ ...key, work: { kind: 'judge' }, userId: null });
        return (await reached(store, key)).outcome;
      };
      expect(await judged()).toMatchObject({ result: { answers: 2, done: 2, judged: 3, left: 0 } });
      expect(await judged()).toMatchObject({ result: { answers: 0, done: 0 } });
      await here.run('stance off --workspace acme');
      expect(await judged()).toMatchObject({ refusal: { code: 'stance_judge_missing' } });
      expect(here.asked).toHaveLength(2);
    },
  );

  test('two servers judge a workspace once a day if that is on', async () => {
    const place = await aPlace(await create());
    const { here, store, workspaceId, jobs } = place;
    let nowMs = Date.now();
    let looks = 0;
    const stop = new AbortController();
    const servers = [aRunner(place, { asking }), aRunner(place, { asking })].map((runner) =>
      addDailyJobs(store, {
        runner,
        collected: new Set(),
        judgedDaily: () => {
          looks += 1;
          return workspacesToJudge(store);
        },
        clock: () => nowMs,
        signal: stop.signal,
        onFailure: (error) => {
          throw error;
        },
        waitMs: 20,
      }),
    );
    onTestFinished(async () => {
      stop.abort();
      await Promise.all(servers);
    });
    const lookOften = () => {
      const from = looks;
      return expect.poll(() => looks - from).toBeGreaterThan(6);
    };
    await lookOften();
    expect(await jobs()).toEqual([]);
    await here.run(`${set} on`);
    await expect.poll(async () => (await jobs()).length).toBe(1);
    const [job] = await jobs();
    expect(await reached(store, { workspaceId, id: job?.id ?? '' })).toMatchObject({
      outcome: { result: { judged: 3 } },
    });
    await lookOften();
    expect(await jobs()).toHaveLength(1);
    nowMs += 86_400_000;
    await expect.poll(async () => (await jobs()).length).toBe(2);
  });

  test('no workspace is judged by day while another one waits to be judged', async () => {
    const { here, store, workspaceId } = await aPlace(await create());
    await here.run(`${set} on`);
    expect(await workspacesToJudge(store)).toEqual(new Set([workspaceId]));
    const job = { workspaceId, id: newId(Date.now), work: { kind: 'judge' } } as const;
    await addJob(store, { ...job, owner: 'another server', userId: null, clock: Date.now });
    expect(await workspacesToJudge(store)).toEqual(new Set());
  });

  // On SQLite the ledger's clock is the machine's.
  test.runIf(dialect === 'postgres')(
    'a question under way outlives the daily job of a server whose clock is ahead',
    async () => {
      const { store, workspaceId } = await aPlace(await create());
      const ledger = await requireLedger(store);
      const tools = { workspaceId, environment: asking.environment, clock: Date.now };
      const engine = await judgeToAsk(store, ledger, 'own_api', tools);
      const judgement = { workspaceId, id: 'j', runId: 'r', subjects: [], question: 'Which?' };
      await claimJudgement(ledger, { judgement, engine, nowMs: Date.now() });
      const job = { work: { kind: 'gaps' }, workspaceId, userId: null } as const;
      await doWork(store, job, {
        clock: () => Date.now() + 6 * 3_600_000,
        signal: new AbortController().signal,
        onProgress: () => {},
        onFailure: () => {},
        fd: undefined,
        asking: undefined,
      });
      const row = await ledger.db.selectFrom('judgements').select('state').executeTakeFirst();
      expect(row).toEqual({ state: 'sent' });
    },
  );
});
