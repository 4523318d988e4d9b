import { setTimeout } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { answered, startCollecting } from '../../../../test/engines/collecting.ts';
import { startServer } from '../../../../test/servers/server-process.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { setAskingSwitch } from '../../../collect/ledger/asking-switch.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const body = JSON.stringify('json' in answered ? answered.json : {});
/** A search bot that gets errors: a gap, which the import of these rows does not look for. */
const failedHits = JSON.stringify(
  [1, 2, 3, 4, 5, 6].map((hour) => ({
    bot_name: 'OAI-SearchBot',
    bot_company: 'OpenAI',
    category: 'search',
    path: '/docs',
    method: 'GET',
    status: 500,
    verification: 'verified',
    hit_at: `2026-11-19T0${hour}:00:00Z`,
  })),
);
/** The last sweep of the day is planned, and all of it is due. */
const lateMs = Date.parse('2026-11-20T23:59:59Z');

eachDatabase({ title: 'a worker that collects', onBoth: true }, (create) => {
  test('a worker that collects asks what is due in every workspace with a budget until it is stopped, and logs it', async () => {
    const stop = new AbortController();
    const here = await startCollecting(
      await create(),
      { prompts: 3 },
      answered,
      answered,
      (response) => {
        response.end(body);
        stop.abort();
      },
    );
    await here.run('workspace create other --name Other --brand Other');
    const clock = (): number => lateMs;
    await here.run('import hits - --workspace acme', { stdin: failedHits, clock });
    const { code, stdout } = await here.run('collect worker --at-once 1', {
      clock,
      signal: stop.signal,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      workspace: 'acme',
      done: 3,
      runs: 3,
      cost_usd: 0.006,
    });
    const shown = await here.run('collect status --workspace acme --json', { clock });
    expect(JSON.parse(shown.stdout).engines[0]).toMatchObject({ readings: { done: 3, sent: 0 } });
    const gaps = await here.run('actions list --workspace acme --json', { clock });
    expect(JSON.parse(gaps.stdout)).toMatchObject({ actions: [{ kind: 'blocked' }] });
  });

  test(
    'a worker that collects says once why it cannot ask, and goes on',
    { tags: ['once'] },
    async () => {
      const stop = new AbortController();
      const here = await startCollecting(await create(), { prompts: 1 }, answered);
      await here.run('engine disable own_api');
      const clock = (): number => {
        stop.abort();
        return lateMs;
      };
      const { code, stdout } = await here.run('collect worker', { clock, signal: stop.signal });
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ level: 'warn', code: 'engine_missing' });
    },
  );

  test(
    'a worker inside a server lets it serve, and at SIGTERM asks nothing new and waits for open questions',
    { tags: ['long'] },
    async () => {
      const open: ServerResponse[] = [];
      const url = await create();
      const here = await startCollecting(
        url,
        { prompts: 8 },
        (response) => void open.push(response),
      );
      // Plans today's readings and asks nothing.
      await here.run('collect run --workspace acme', {
        clock: Date.now,
        signal: AbortSignal.abort(),
      });
      const store = await openStore(url);
      const ledger = await store.ledger();
      await ledger?.db
        .updateTable('readings')
        .set({ due_at: sql<string>`day || 'T00:00:00.000Z'` })
        .execute();
      await store.close();

      const server = await startServer(url, ['--collect']);
      while (open.length < 4) await setTimeout(50);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      const stopped = server.stop();
      // The listener is closed after a second; the questions are still open.
      await setTimeout(2500);
      await expect(fetch(`${server.url}/readyz`)).rejects.toThrow('fetch failed');
      for (const response of open) response.end(body);
      expect(await stopped).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /asking engines the due readings[^]*waiting for open questions/,
        ),
      });
      expect(open).toHaveLength(4);
      const { stdout } = await here.run('collect status --workspace acme --json', {
        clock: Date.now,
      });
      expect(JSON.parse(stdout).engines[0]).toMatchObject({
        readings: { done: 4, sent: 0, unknown: 0 },
      });
      const runs = await here.run('export detections --workspace acme');
      expect(runs.stdout.trim().split('\n')).toHaveLength(4);
    },
  );

  test(
    'a server without --collect asks when an operator switches that on, and no more when it is off',
    { tags: ['once'] },
    async () => {
      const url = await create();
      const here = await startCollecting(url, { prompts: 1 }, answered);
      const store = await openStore(url);
      onTestFinished(() => store.close());
      await here.run('collect run --workspace acme', {
        clock: Date.now,
        signal: AbortSignal.abort(),
      });
      const ledger = await store.ledger();
      const due_at = sql<string>`day || 'T00:00:00.000Z'`;
      await ledger?.db.updateTable('readings').set({ due_at }).execute();
      const server = await startServer(url, []);
      expect(await setAskingSwitch(store, { isOn: true, clock: Date.now })).toBe(true);
      while (here.sent.length === 0) await setTimeout(50);
      expect(await setAskingSwitch(store, { isOn: false, clock: Date.now })).toBe(true);
      expect(await setAskingSwitch(store, { isOn: false, clock: Date.now })).toBe(false);
      expect(await server.stop()).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(
          /asking engines the due readings[^]*asking engines nothing new/,
        ),
      });
    },
  );
});

eachDatabase({ title: 'commands that collect at once', onBoth: true }, (create) => {
  test('three commands that find the same readings send each of them once', async () => {
    const here = await startCollecting(await create(), { prompts: 4 }, answered);
    const line = 'collect run --workspace acme --now';
    await here.run(line, { signal: AbortSignal.abort() });
    expect(here.sent).toEqual([]);
    await Promise.all(Array.from({ length: 3 }, () => here.run(line)));
    const questions = here.sent.map((each) => JSON.stringify(each.body));
    expect(questions).toHaveLength(4);
    expect(new Set(questions).size).toBe(4);
  });
});
