import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  addEngine,
  collectFrom,
  answered,
  budget,
  everythingStored,
  noon,
  plantedKey,
  startCollecting,
  status,
} from '../../../../test/engines/collecting.ts';
import { startEngineServer } from '../../../../test/engines/engine-server.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { Refusal } from '../../../refusals.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const hourMs = 3_600_000;
const run = 'collect run --workspace acme --now --at-once 1';

eachDatabase('collect', (create) => {
  test('collect asks the current sweep once, however often it is run, and imports the answers', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    const first = await here.run(run);
    expect(first.stderr).toContain('Asked 2 questions for $0.0040; imported 2 runs.');
    expect(first.stderr).toContain('No new gap in the last 28 days.');
    await here.run(run);
    // Another model, the clock an hour back and forth: the same questions of the same sweep.
    await here.run(`${addEngine(here)} --model larger`);
    for (const offMs of [-hourMs, hourMs]) await here.run(run, { clock: () => noon + offMs });
    expect(here.sent).toHaveLength(2);
    expect(here.sent[0]?.body).toMatchObject({ messages: [{ content: expect.any(String) }] });
    const scores = await here.run('export scores --workspace acme');
    expect(scores.stdout).toContain('"engine":"own_api","citations":2,"total_runs":2');
    expect(await status(here)).toMatchObject({
      readings: { done: 2, sent: 0 },
      cost_usd: 0.004,
      models: [{ model: 'small-1' }],
    });
  });

  test(
    'collect never sends again what may have been billed, and charges it at its bound',
    { tags: ['slow'] },
    async () => {
      const here = await startCollecting(
        await create(),
        { prompts: 4 },
        { status: 500, json: { error: { code: 'server_error' } } },
        (response) => void response.destroy(),
        { status: 400, json: { error: { code: 'invalid_value' } } },
        { json: { hello: 'world' } },
        answered,
      );
      await here.run(run);
      await here.run(run);
      expect(here.sent).toHaveLength(4);
      // The last is an answer in an unknown form: paid for, kept, and no answer.
      expect(await status(here)).toMatchObject({
        readings: { unknown: 2, failed: 1, done: 1, sent: 0 },
        cost_usd: 0.03,
      });
      expect(await budget(here)).toMatchObject({ spent_usd: 0.03, held_usd: 0 });
    },
  );

  test('a question that was refused for now is sent again when the engine says, and billed once', async () => {
    const limited = { status: 429, json: { error: { code: 'rate_limit_exceeded' } } };
    const here = await startCollecting(
      await create(),
      { prompts: 1 },
      { ...limited, headers: { 'retry-after-ms': '300' } },
      answered,
    );
    const began = performance.now();
    await here.run(run, { clock: () => noon + performance.now() - began });
    expect(performance.now() - began).toBeGreaterThan(300);
    expect(here.sent).toHaveLength(2);
    expect(await budget(here)).toMatchObject({ spent_usd: 0.002, held_usd: 0 });
  });

  test('an engine whose key is wrong is off, with a sentence, until it is set up again', async () => {
    const wrong = {
      error: { message: `Incorrect API key: ${plantedKey}`, code: 'invalid_api_key' },
    };
    const here = await startCollecting(
      await create(),
      { prompts: 3 },
      { status: 401, json: wrong },
      answered,
    );
    await here.run(run);
    expect(here.sent).toHaveLength(1);
    const shown = await here.run('collect status --workspace acme');
    expect(shown.stderr).toMatch(
      /own_api is off because of invalid_api_key: check its key.*engine add/,
    );
    const doctor = await here.run('doctor');
    expect(doctor.stdout).toContain('own_api is not asked: it failed with invalid_api_key.');
    expect(await here.run(run)).toMatchObject({ code: 1 });
    await here.run(addEngine(here));
    await here.run(run);
    expect(await status(here)).toMatchObject({ readings: { done: 3 }, off_reason: null });
    // The key was not written to any of these places.
    expect(await everythingStored(here.url)).not.toContain(plantedKey);
    expect(JSON.stringify([shown, await here.run('engine list --json')])).not.toContain(plantedKey);
  });

  test('an engine that fails five times alike is switched off, and the others go on', async () => {
    const rejected = { status: 404, json: { error: { code: 'model_not_found' } } };
    const here = await startCollecting(await create(), { prompts: 7 }, rejected);
    const other = await startEngineServer(answered);
    await here.run(addEngine({ baseUrl: `${other.url}/v1` }).replace('own_api', 'other_api'));
    await here.run(run);
    expect(here.sent).toHaveLength(5);
    expect(other.sent).toHaveLength(7);
    expect(await status(here, 'own_api')).toMatchObject({
      off_reason: 'model_not_found',
      readings: { failed: 5, planned: 2 + 2 * 7 - 7 },
      cost_usd: 0,
    });
  });

  test('an engine without a connection is switched off, and none of its questions is lost or paid for', async () => {
    const here = await startCollecting(await create(), { prompts: 8 }, answered);
    const { url, stop } = await startEngineServer(answered);
    await stop();
    await here.run(addEngine({ baseUrl: `${url}/v1` }).replace('own_api', 'gone_api'));
    const began = performance.now();
    const { code } = await here.run(`collect run --workspace acme --now --at-once 5`, {
      clock: () => noon + performance.now() - began,
    });
    expect(code).toBe(0);
    expect(here.sent).toHaveLength(8);
    const { readings, ...gone } = Object(await status(here, 'gone_api'));
    expect(gone).toMatchObject({ off_reason: 'ECONNREFUSED', cost_usd: 0 });
    expect(readings).toMatchObject({ sent: 0, done: 0, failed: 0, unknown: 0 });
    // 8 of the sweep, and 8 of the one after it.
    expect(readings.planned).toBe(16);
    expect(await budget(here)).toMatchObject({ spent_usd: 0.016, held_usd: 0 });
  });

  test('a paused answer is paid for, whatever comes of the request that continues it', async () => {
    const part = (reason: string, searches: number): object => ({
      type: 'message',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text: 'Acme is good.' }],
      stop_reason: reason,
      usage: {
        input_tokens: 1000,
        output_tokens: 10,
        server_tool_use: { web_search_requests: searches },
      },
    });
    const here = await startCollecting(await create(), { prompts: 3 }, answered);
    const claude = await startEngineServer(
      { json: part('pause_turn', 1) },
      { json: part('end_turn', 0) },
      { json: part('pause_turn', 1) },
      { status: 429, json: { error: { type: 'rate_limit_error' } } },
      { json: part('pause_turn', 1) },
      { status: 500, json: { error: { type: 'api_error' } } },
      { json: part('end_turn', 0) },
    );
    await here.run('engine disable own_api');
    await here.run(`engine add claude_api --base-url ${claude.url} --per-minute 60000`);
    await here.run(run);
    await here.run(run);
    expect(claude.sent).toHaveLength(6);
    // By the price list: $0.0121 for two parts, $0.01105 for one, and the bound, twice $0.13 and
    // the 17 bytes of the prompt, read four times.
    expect(await status(here, 'claude_api')).toMatchObject({
      readings: { done: 2, unknown: 1 },
      cost_usd: 0.283286,
      searches_per_answer: 1,
    });
  });

  test('collect stops before a cap could be passed', async () => {
    const here = await startCollecting(await create(), { prompts: 3, dayUsd: 0.013 }, answered);
    const { stderr } = await here.run(run);
    expect(stderr).toContain('The budget is used up');
    expect(here.sent).toHaveLength(2);
    expect(await budget(here)).toEqual({
      period: '2026-11-20',
      cap_usd: 0.013,
      spent_usd: 0.004,
      held_usd: 0,
    });
  });

  test('a prompt that was switched off is not asked, and a removed workspace leaves nothing', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    const off = new AbortController();
    off.abort();
    // Plans, and asks nothing.
    await here.run(run, { signal: off.signal });
    await here.run('prompts collect off --all --workspace acme');
    await here.run(run);
    expect(here.sent).toHaveLength(0);
    expect(await status(here)).toMatchObject({ readings: { skipped: 2 } });
    await here.run('prompts collect on --all --workspace acme');
    await here.run('workspace remove acme --yes');
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const ledger = await store.ledger();
    for (const table of ['readings', 'budgets', 'allowances', 'bodies'] as const) {
      expect(await ledger?.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  test('an interrupted collect asks nothing new, and waits for the open question', async () => {
    const stop = new AbortController();
    const here = await startCollecting(await create(), { prompts: 3 }, (response) => {
      stop.abort();
      void setTimeout(300).then(() => {
        response.end(JSON.stringify('json' in answered ? answered.json : {}));
      });
    });
    const { stderr } = await here.run(run, { signal: stop.signal });
    expect(stderr).toContain('Asked 1 question for $0.0020; imported 1 run.');
    expect(here.sent).toHaveLength(1);
    expect(await status(here)).toMatchObject({ readings: { done: 1, sent: 0 } });
  });

  test(
    'an answer that was paid for waits for a full disk, and is not asked again',
    { tags: ['slow'] },
    async () => {
      let isFull = false;
      const here = await startCollecting(await create(), { prompts: 1 }, (response) => {
        isFull = true;
        response.end(JSON.stringify('json' in answered ? answered.json : {}));
      });
      const store = await openStore(here.url);
      onTestFinished(() => store.close());
      const ledger = await store.ledger();
      if (ledger === undefined) throw new Error('No ledger');
      let tries = 0;
      const full: typeof ledger = {
        ...ledger,
        write: async (work) => {
          if (isFull && ++tries < 3) throw new Refusal('database_disk_full', {});
          return ledger.write(work);
        },
      };
      const done = await collectFrom({ ...store, ledger: async () => full });
      expect(done).toMatchObject({ done: 1, runs: 1 });
      expect(tries).toBeGreaterThan(2);
      expect(here.sent).toHaveLength(1);
    },
  );
});
