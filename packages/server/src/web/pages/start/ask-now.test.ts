// @module-tag slow
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newPerson } from '../../../../test/browsers/people.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import { aRunner, reached } from '../../../../test/commands/jobs.ts';
import { answered, plantedKey, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Reply } from '../../../../test/engines/engine-server.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { readAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { readAdminCaps, selectAllowance } from '../../../collect/ledger/budgets.ts';
import { listJobs } from '../../../jobs/jobs.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { findWorkspace } from '../../../workspaces/workspaces.ts';

const clock = Date.now;
const asking = { environment: { OWN_KEY: plantedKey }, atOnce: 2, prices: [] };

/** A workspace with prompts that are on and an engine, and no budget yet. */
async function aPlace(url: string, reply: Reply, prompts = 6) {
  const here = await startCollecting(url, { prompts }, reply);
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const ledger = await store.ledger();
  await ledger?.write((db) => db.deleteFrom('allowances').execute());
  const { id: workspaceId } = await findWorkspace(store.reader, 'acme');
  const runner = aRunner({ store, url }, { asking });
  const web = await startWeb(store, { runner, clock });
  const visitorOf = async (role: 'admin' | 'editor', isOperator = false) =>
    new Visitor(web, await newPerson(store, { workspaceId, role, isOperator, clock }));
  const allowance = () =>
    ledger === undefined ? undefined : selectAllowance(ledger.db, workspaceId);
  const latest = async () => {
    const [job] = await listJobs(store.access, { workspaceId, kind: 'ask', limit: 1 });
    if (job === undefined) throw new Error('Nothing was asked');
    return job;
  };
  return { here, store, workspaceId, runner, visitorOf, allowance, latest };
}

const path = '/w/acme/start/answers';

async function look(visitor: Visitor) {
  const { body } = await visitor.get(path);
  const words = body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const field = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '';
  return { words, fields: { form: field('form'), most: field('most') }, job: field('job') };
}

eachDatabase({ title: 'asking now', onBoth: true }, (create) => {
  test(
    'an operator sees the price, asks every prompt once, and sees the answers and their cost',
    { tags: ['once'] },
    async () => {
      const { here, visitorOf, latest, store, allowance } = await aPlace(await create(), answered);
      const operator = await visitorOf('admin', true);
      const { words, fields } = await look(operator);
      expect(words).toContain('6 questions: 6 prompts to own_api. Usually about $0.0600 , at most');
      expect(here.sent).toHaveLength(0);
      expect((await operator.post(path, fields)).statusCode).toBe(303);
      expect((await operator.post(path, fields)).statusCode).toBe(303);
      const job = await reached(store, await latest());
      expect(job).toMatchObject({ state: 'done', outcome: { result: { done: 6, runs: 6 } } });
      expect(here.sent).toHaveLength(6);
      const after = await look(operator);
      expect(after.words).toContain('6 of 6 answers are in. Cost so far: $0.0120.');
      expect(after.words).toContain('Every prompt was asked today (UTC).');
      // The budget allows what the price said, and no schedule asks again.
      expect(await allowance()).toMatchObject({ sweeps: 0, day_micros: 60_000 });
      expect(await readAskingSwitch(store)).toBeNull();
      const again = await here.run('collect run --workspace acme', { clock });
      expect([again.code, again.stderr.split('\n')[0]]).toEqual([
        1,
        expect.stringContaining('The workspace has no schedule, so only a person asks.'),
      ]);
      // Six new prompts may cost as much again, on top of what was spent.
      const texts = Array.from({ length: 6 }, (_, place) => `Which_new_one_${place}?`).join(' ');
      await here.run(`prompts add ${texts} --workspace acme`);
      await here.run('prompts collect on --all --workspace acme');
      await operator.post(path, (await look(operator)).fields);
      expect(await allowance()).toMatchObject({ sweeps: 0, day_micros: 72_000 });
      await reached(store, await latest());
      expect(here.sent).toHaveLength(12);
    },
  );

  test('only an operator lets servers ask by themselves, or stops that', async () => {
    const { visitorOf, store } = await aPlace(await create(), answered);
    const operator = await visitorOf('admin', true);
    const admin = await visitorOf('admin');
    const place = '/w/acme/settings/collection/switch';
    expect((await admin.post(place, { to: 'on' })).statusCode).toBe(403);
    expect(await readAskingSwitch(store)).toBeNull();
    expect((await admin.get('/w/acme/settings/collection')).body).toContain('its operator');
    expect((await operator.post(place, { to: 'on' })).statusCode).toBe(303);
    expect(await readAskingSwitch(store)).not.toBeNull();
    expect((await admin.post(place, { to: 'off' })).statusCode).toBe(403);
    expect((await operator.post(place, { to: 'off' })).statusCode).toBe(303);
    expect(await readAskingSwitch(store)).toBeNull();
  });

  test(
    'without a budget nobody but the operator spends, and the page says whom to ask',
    { tags: ['once'] },
    async () => {
      const { here, visitorOf, store, latest } = await aPlace(await create(), answered);
      for (const role of ['editor', 'admin'] as const) {
        const visitor = await visitorOf(role);
        const { words, fields } = await look(visitor);
        expect(words).toContain('The operator must allow this workspace a budget first.');
        expect(fields.form).toBe('');
      }
      // A form from a time when a budget was there.
      const operator = await visitorOf('admin', true);
      const { fields } = await look(operator);
      expect((await (await visitorOf('admin')).post(path, fields)).statusCode).toBe(400);
      const editor = await visitorOf('editor');
      await editor.post(path, fields);
      expect(await reached(store, await latest())).toMatchObject({
        outcome: { refusal: { code: 'budget_missing' } },
      });
      expect(here.sent).toHaveLength(0);
    },
  );

  test(
    'an operator who asks once leaves the operator’s caps as they are',
    { tags: ['long'] },
    async () => {
      const { here, visitorOf, store, latest, workspaceId } = await aPlace(
        await create(),
        answered,
      );
      await here.run('budget cap --day 10 --month 100');
      const operator = await visitorOf('admin', true);
      await operator.post(path, (await look(operator)).fields);
      await reached(store, await latest());
      const ledger = await store.ledger();
      const caps = ledger && (await readAdminCaps(ledger, workspaceId));
      expect(caps).toEqual({ dayCapUsd: 10, monthCapUsd: 100 });
    },
  );

  test(
    'a price that has risen since the page was shown asks nothing',
    { tags: ['once'] },
    async () => {
      const { here, visitorOf } = await aPlace(await create(), answered);
      const operator = await visitorOf('admin', true);
      const { fields } = await look(operator);
      await here.run('prompts add Which_one? --workspace acme');
      await here.run('prompts collect on --all --workspace acme');
      const { statusCode, body } = await operator.post(path, fields);
      expect([statusCode, body.includes('The price has changed. Nothing was asked')]).toEqual([
        400,
        true,
      ]);
      expect(here.sent).toHaveLength(0);
    },
  );

  test(
    'who stops asking keeps the answers of open questions, and no other workspace can stop it',
    { tags: ['long'] },
    async () => {
      const open: ServerResponse[] = [];
      const place = await aPlace(await create(), (response) => void open.push(response), 60);
      const { here, visitorOf, store, latest } = place;
      const operator = await visitorOf('admin', true);
      await operator.post(path, (await look(operator)).fields);
      while (open.length < 2) await sleep(20);
      await here.run('workspace create other --name Other --brand Other');
      const { job } = await look(operator);
      await operator.post('/w/other/start/answers/stop', { job });
      expect((await latest()).state).toBe('running');
      expect((await operator.post(`${path}/stop`, { job })).statusCode).toBe(303);
      expect((await look(operator)).words).toContain('You stopped it. What came is kept.');
      // The thread notes it at its next heartbeat, while questions are answered slowly.
      const runs = async () =>
        (await store.reader.selectFrom('runs').select('id').execute()).length;
      while ((await runs()) < here.sent.length) {
        for (const response of open.splice(0)) response.end(JSON.stringify(answered.json));
        await sleep(500);
      }
      expect(here.sent.length).toBeLessThan(60);
    },
  );

  test('a server that stops waits for the open questions, and leaves the rest to the next one', async () => {
    const open: ServerResponse[] = [];
    const url = await create();
    const place = await aPlace(url, (response) => void open.push(response));
    const { here, visitorOf, store, latest, runner } = place;
    const operator = await visitorOf('admin', true);
    await operator.post(path, (await look(operator)).fields);
    while (open.length < 2) await sleep(20);
    const stopped = runner.stop({ graceMs: 0 });
    await sleep(100);
    for (const response of open) response.end(JSON.stringify(answered.json));
    await stopped;
    const ledger = await store.ledger();
    const states = await ledger?.db.selectFrom('readings').select('state').execute();
    expect(states?.filter(({ state }) => state === 'done')).toHaveLength(2);
    expect(states?.filter(({ state }) => state === 'planned')).toHaveLength(4);
    expect((await latest()).state).toBe('waiting');
    expect(here.sent).toHaveLength(2);
  });
});
