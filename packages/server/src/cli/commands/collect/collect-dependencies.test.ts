import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import {
  addEngine,
  answered,
  budget,
  noon,
  startCollecting,
  status,
} from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { startPostgres } from '../../../../test/stores/postgres.ts';
import { startServer } from '../../../../test/servers/server-process.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now';
const hourMs = 3_600_000;
const answer = JSON.stringify('json' in answered ? answered.json : {});

/** How often each prompt was sent. */
function timesSent({ sent }: Collecting): number[] {
  const times = new Map<string, number>();
  for (const { body } of sent) {
    const [asked = ''] = /for \d+/.exec(JSON.stringify(body)) ?? [];
    times.set(asked, (times.get(asked) ?? 0) + 1);
  }
  return [...times.values()];
}

async function addPrompt(here: Collecting): Promise<void> {
  const row = {
    text: 'Which CRM, for 99?',
    language: 'en',
    locale: 'en-US',
    active: true,
    created_at: '2026-11-01T00:00:00Z',
  };
  const line = ['import', 'prompts', '-', '--workspace', 'acme', '--database', here.url];
  await runCommand(line, { stdin: JSON.stringify(row) });
  await here.run('prompts collect on --all --workspace acme');
}

/** A file of a database beside the one of its URL. */
function fileOf(url: string, kind: string): string {
  return url.slice('file:'.length).replace(/\.db$/, `${kind}.db`);
}

eachDatabase('collect', (create, dialect) => {
  test('changing an engine’s model and limits at noon asks no question twice', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    await here.run(run);
    await here.run(`${addEngine(here)} --output-tokens 999`.replace('small', 'larger'));
    await here.run(run);
    expect(timesSent(here)).toEqual([1, 1]);
  });

  test('a clock that goes back and forth by an hour asks nothing twice, and keeps nobody waiting', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    await here.run(run);
    await addPrompt(here);
    for (const offMs of [-hourMs, hourMs, 0]) {
      await here.run(run, { clock: () => noon + offMs });
    }
    expect(timesSent(here)).toEqual([1, 1, 1]);
    expect(await status(here)).toMatchObject({ readings: { done: 3, sent: 0, unknown: 0 } });
    expect(await budget(here)).toMatchObject({ spent_usd: 0.006, held_usd: 0 });
  });

  test('a wait that the engine asks of one process is kept by every other', async () => {
    const limited = { status: 429, json: { error: { code: 'rate_limit_exceeded' } } };
    const waits = { ...limited, headers: { 'retry-after-ms': '100' } };
    const here = await startCollecting(await create(), { prompts: 3 }, waits, answered);
    const store = await openStore(here.url);
    onTestFinished(() => store.close());
    const ledger = await store.ledger();
    let nowMs = noon;
    const clock = (): number => nowMs;
    const one = `${run} --at-once 1`;
    const pace = async () => ledger?.db.selectFrom('paces').selectAll().executeTakeFirst();
    const stop = new AbortController();
    const first = here.run(one, { clock, signal: stop.signal });
    await expect.poll(async () => (await pace())?.wait_until_ms).toBe(noon + 100);
    stop.abort();
    await first;
    const others = [1, 2].map(() => here.run(one, { clock }));
    // Each look at the wait moves the pace on by 1 ms. The others look eight times, or ask.
    const lookedMs = Number((await pace())?.next_ms);
    const looked = async () =>
      here.sent.length > 1 || Number((await pace())?.next_ms) >= Math.max(lookedMs, noon + 100) + 8;
    await expect.poll(looked).toBe(true);
    expect(here.sent).toHaveLength(1);
    nowMs += 100;
    await Promise.all(others);
    expect(here.sent).toHaveLength(4);
    expect(await status(here)).toMatchObject({ readings: { done: 3 } });
  });

  test.runIf(dialect === 'sqlite')(
    'an answer is paid and kept while an import holds the data, and becomes a run after it',
    async () => {
      const here = await startCollecting(await create(), { prompts: 3 }, answered);
      const data = new DatabaseSync(fileOf(here.url, ''));
      onTestFinished(() => data.close());
      data.exec('begin immediate');
      const running = here.run(run);
      const spent = async (): Promise<unknown> => budget(here);
      await expect.poll(spent).toMatchObject({ spent_usd: 0.006, held_usd: 0 });
      data.exec('commit');
      expect((await running).stderr).toContain('imported 3 runs');
    },
  );

  test.runIf(dialect === 'sqlite')(
    'a ledger that another process locks when an answer comes is waited for, and the answer is kept',
    async () => {
      let lockedMs = 0;
      const here = await startCollecting(await create(), { prompts: 2 }, (response) => {
        ledger.exec('begin immediate');
        const began = performance.now();
        response.end(answer);
        void setTimeout(700).then(() => {
          ledger.exec('commit');
          lockedMs += performance.now() - began;
        });
      });
      const ledger = new DatabaseSync(fileOf(here.url, '.ledger'));
      onTestFinished(() => ledger.close());
      expect(await here.run(`${run} --at-once 1`)).toMatchObject({ code: 0 });
      expect(lockedMs).toBeGreaterThan(1300);
      expect(timesSent(here)).toEqual([1, 1]);
      expect(await status(here)).toMatchObject({ readings: { done: 2, sent: 0, unknown: 0 } });
    },
  );

  test.runIf(dialect === 'sqlite')('a damaged ledger is named, and nothing is asked', async () => {
    const here = await startCollecting(await create(), { prompts: 2 }, answered);
    const file = fileOf(here.url, '.ledger');
    expect(existsSync(file)).toBe(true);
    writeFileSync(file, Buffer.alloc(100_000, 'damaged'));
    const { code, stderr } = await here.run(run);
    expect(code).toBe(1);
    expect(stderr).toContain('test.ledger.db');
    expect(here.sent).toHaveLength(0);
  });
});

describe('collect while PostgreSQL is away', () => {
  test('collect keeps paid answers while PostgreSQL is away, and asks nothing twice', async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    await (await openStore(postgres.url, { mayCreate: true })).close();
    let away: Promise<void> | undefined;
    const here = await startCollecting(postgres.url, { prompts: 6 }, (response) => {
      away ??= postgres
        .halt()
        .then(() => setTimeout(3000))
        .then(() => postgres.start());
      void setTimeout(500).then(() => response.end(answer));
    });
    const { code } = await here.run(`${run} --at-once 2`);
    expect(code).toBe(0);
    await away;
    await here.run(run);
    expect(timesSent(here)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(await status(here)).toMatchObject({ readings: { done: 6, sent: 0, unknown: 0 } });
    expect(await budget(here)).toMatchObject({ spent_usd: 0.012, held_usd: 0 });
  });
});

eachDatabase('a server that collects, beside two runs', (create) => {
  test(
    'a server that collects shares its readings with two runs, and each is asked once',
    { tags: ['long'] },
    async () => {
      const here = await startCollecting(await create(), { prompts: 30 }, (response) => {
        void setTimeout(20).then(() => response.end(answer));
      });
      await here.run('budget set --workspace acme --day 1 --month 1 --sweeps 1');
      const server = await startServer(here.url, ['--collect']);
      const line = `${run} --database ${here.url}`.split(' ');
      const ended = await Promise.all([1, 2].map(() => spawnCommand(line).ended));
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
      expect((await server.stop()).code).toBe(0);
      await spawnCommand(line).ended;
      expect(timesSent(here)).toEqual(Array.from({ length: 30 }, () => 1));
      expect(await status(here)).toMatchObject({ readings: { done: 30, sent: 0, unknown: 0 } });
    },
  );
});
