import { expect, onTestFinished, test } from 'vitest';
import {
  answered,
  noon,
  plantedKey,
  startCollecting,
} from '../../../../test/engines/collecting.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import type { SeedRows } from '../../../../test/stores/stores.ts';
import { Visitor, startWeb } from '../../../../test/browsers/web.ts';
import type { PriceRow } from '../../../collect/engines/prices.ts';
import { openStore } from '../../../storage/open/open-store.ts';
import { createReportReader } from '../../reader/report-reader.ts';

const clock = () => noon;
const path = '/w/acme/settings/collection';

/** Two readings: one is answered, the other failed. */
const asked: SeedRows = {
  name: 'asked questions',
  fill: async (url) => {
    const failed = { status: 500, json: { error: { code: 'server_error' } } };
    const { run } = await startCollecting(url, { prompts: 2 }, answered, failed);
    await run('collect run --workspace acme --now --at-once 1');
  },
};

eachDatabase('the page of collection', (create) => {
  async function place(prices?: readonly PriceRow[]) {
    const url = await create({ seed: asked });
    const run = (line: string) =>
      runCommand([...line.split(' '), '--database', url], {
        clock,
        environment: { OWN_KEY: plantedKey },
        mayReachPrivate: true,
      });
    return { run, ...(await people(url, prices)) };
  }

  test('the page of collection says what the next day will cost, and that an API’s answers are not the app’s', async () => {
    const { admin } = await place();
    const page = await text(admin.get(path));
    expect(page).toContain(
      'At most $0.0600 for 6 questions to 1 engine: own_api. The budget allows $1.00. 30 days like this cost $1.80; the budget of a month is $10.00.',
    );
    expect(page).toContain('2 prompts of 2 active prompts are switched on');
    expect(page).toContain('differ from those of the apps');
    expect(page).toContain('own_api small on 2 0 1 0 1 0 0 $0.0120 $0.0100');
  });

  test('the page of collection shows what was spent and the forecast as the ledger has them', async () => {
    const { admin } = await place();
    const page = await text(admin.get(path));
    expect(page).toContain('Spent in 2026-11-20: $0.0120. Spent in 2026-11: $0.0120.');
    expect(page).toContain('own_api 3 6 $0.0600 $0.0600 $1.80 the most it may cost');
  });

  test('the page of collection takes the prices of the operator in place of the price list', async () => {
    const price = { model: 'gpt-6-luna', input: 9000, output: 0, searches: 0 };
    const from = { engine: 'chatgpt_api', checked: '2026-11-01', source: '' };
    const { admin, run } = await place([{ ...price, ...from }]);
    await run('engine add chatgpt_api --base-url http://127.0.0.1:9/v1 --key-variable OWN_KEY');
    expect(await text(admin.get(path))).toContain('$540.00');
  });

  test('an admin lowers the budget, is refused above the operator’s, and what was typed stays', async () => {
    const { admin, viewer } = await place();
    const budget = { day: '0.5', month: '9', sweeps: '2' };
    expect((await admin.post(path, budget)).statusCode).toBe(303);
    expect((await admin.post(path, budget)).statusCode).toBe(303);
    expect(await text(admin.get(path))).toContain(
      'At most $0.5000 a day and $9.00 a month, UTC. Each prompt is asked 2 times a day',
    );
    await admin.post(path, { ...budget, month: '1' });
    expect(await text(admin.get(path))).toContain(
      '30 days like this cost $1.20; the budget of a month is $1.00, so it ends before the month does.',
    );
    const above = await admin.post(path, { ...budget, day: '1.5' });
    expect([above.statusCode, above.body.includes('value="1.5"')]).toEqual([400, true]);
    expect(above.body).toContain('The operator allows at most $1.00 a day and $10.00 a month.');
    for (const wrong of [{ day: '-1' }, { day: '1e3' }, { month: '' }, { sweeps: '25' }]) {
      expect((await admin.post(path, { ...budget, ...wrong })).statusCode).toBe(400);
    }
    expect((await viewer.post(path, budget)).statusCode).toBe(403);
    const history = await text(admin.get('/w/acme/settings/history'));
    expect(history.match(/set the budget of collecting: \$0\.5000 a day/g)).toHaveLength(2);
    expect((await viewer.get(path)).body).not.toContain('name="day"');
  });

  test('the operator raises the budget, and with it what an admin may set', async () => {
    const { admin, operator } = await place();
    const budget = { day: '3', month: '30', sweeps: '3' };
    expect((await admin.post(path, budget)).statusCode).toBe(400);
    expect((await operator.post(path, budget)).statusCode).toBe(303);
    expect((await admin.post(path, { ...budget, day: '2' })).statusCode).toBe(303);
    expect((await admin.post(path, budget)).statusCode).toBe(303);
  });
});

async function text(response: Promise<{ readonly body: string }>): Promise<string> {
  return (await response).body.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** Reads reports in this thread, unless the test is about prices reaching the report thread. */
async function people(url: string, prices?: readonly PriceRow[]) {
  const store = await openStore(url, { clock });
  onTestFinished(() => store.close());
  const reports = prices && createReportReader({ store, database: url, prices, clock });
  onTestFinished(() => reports?.stop());
  const web = await startWeb(store, { clock, ...(reports !== undefined && { reports }) });
  const { id: workspaceId } = await store.reader
    .selectFrom('workspaces')
    .select('id')
    .executeTakeFirstOrThrow();
  const person = async (facts: Parameters<typeof newPerson>[1]) =>
    new Visitor(web, await newPerson(store, { workspaceId, clock, ...facts }));
  return {
    admin: await person({ role: 'admin' }),
    viewer: await person({ role: 'viewer' }),
    operator: await person({ isOperator: true }),
  };
}
