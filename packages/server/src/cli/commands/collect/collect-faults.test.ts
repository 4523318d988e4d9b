import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  addEngine,
  answered,
  budget,
  noon,
  startCollecting,
  status,
} from '../../../../test/engines/collecting.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now';

/** Waits end only if time goes on. */
function movingClock(): () => number {
  const began = performance.now();
  return () => noon + performance.now() - began;
}

/** Resolves when the first failure was counted. */
async function failedOnce(url: string): Promise<void> {
  const store = await openStore(url);
  onTestFinished(() => store.close());
  const ledger = await store.ledger();
  for (;;) {
    const rows = await ledger?.db.selectFrom('paces').select('faults').execute();
    if (rows?.some(({ faults }) => faults > 0) === true) return;
    await setTimeout(20);
  }
}

/** An engine's address where nobody listens yet, and how to begin. */
async function lateServer() {
  const { url, stop } = await startEngineServer(answered);
  await stop();
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    response.end(JSON.stringify('json' in answered ? answered.json : {}));
  });
  onTestFinished(() => void server.close());
  const { port } = new URL(url);
  return { url, begin: () => server.listen(Number(port), '127.0.0.1'), asked: () => asked };
}

eachDatabase('an engine without a connection', (create) => {
  test('an engine without a connection is asked the same question again a second later, which is billed once', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    const late = await lateServer();
    await here.run(addEngine({ baseUrl: `${late.url}/v1` }));
    const began = performance.now();
    const running = here.run(`${run} --at-once 1`, { clock: movingClock() });
    await failedOnce(here.url);
    late.begin();
    expect(await running).toMatchObject({ code: 0 });
    expect(performance.now() - began).toBeGreaterThan(1000);
    expect(late.asked()).toBe(1);
    expect(await status(here)).toMatchObject({
      off_reason: null,
      readings: { done: 1, sent: 0, unknown: 0 },
    });
    expect(await budget(here)).toMatchObject({ spent_usd: 0.002, held_usd: 0 });
  });

  test('an engine without a connection is switched off after five failures, its questions stay planned and cost nothing, and others go on', async () => {
    const here = await startCollecting(await create(), { prompts: 8 }, answered);
    const { url, stop } = await startEngineServer(answered);
    await stop();
    await here.run(addEngine({ baseUrl: `${url}/v1` }).replace('own_api', 'gone_api'));
    const { code } = await here.run(`${run} --at-once 5`, { clock: movingClock() });
    expect(code).toBe(0);
    expect(here.sent).toHaveLength(8);
    const { readings, ...gone } = Object(await status(here, 'gone_api'));
    expect(gone).toMatchObject({ off_reason: 'ECONNREFUSED', cost_usd: 0 });
    expect(readings).toMatchObject({ sent: 0, done: 0, failed: 0, unknown: 0 });
    // 8 of the sweep, and 8 of the one after it.
    expect(readings.planned).toBe(16);
    expect(await budget(here)).toMatchObject({ spent_usd: 0.016, held_usd: 0 });
  });
});

eachDatabase('an engine whose quota is spent', (create) => {
  test('an engine whose quota is spent is switched off at once, bills nothing, and goes on when it is added again', async () => {
    const spent = {
      status: 429,
      headers: { 'retry-after': '3600' },
      json: { error: { code: 'insufficient_quota', type: 'insufficient_quota' } },
    };
    const here = await startCollecting(await create(), { prompts: 2 }, spent, answered);
    await here.run(`${run} --at-once 1`);
    expect(here.sent).toHaveLength(1);
    expect(await status(here)).toMatchObject({
      off_reason: 'insufficient_quota',
      wait_until: null,
      readings: { planned: 4, failed: 0, unknown: 0 },
    });
    expect(await budget(here)).toMatchObject({ spent_usd: 0, held_usd: 0 });
    const shown = await here.run('collect status --workspace acme');
    expect(shown.stderr).toMatch(
      /own_api is off because of insufficient_quota: check its key, quota/,
    );
    await here.run(addEngine(here));
    await here.run(`${run} --at-once 1`);
    expect(await status(here)).toMatchObject({ off_reason: null, readings: { done: 2 } });
  });
});
