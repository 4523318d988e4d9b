import { existsSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  answered,
  budget,
  noon,
  startCollecting,
  status,
} from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { startPostgres } from '../../../../test/stores/postgres.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now';
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

/** A file of a database beside the one of its URL. */
function fileOf(url: string, kind: string): string {
  return url.slice('file:'.length).replace(/\.db$/, `${kind}.db`);
}

eachDatabase('collect', (create, dialect) => {
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
    const here = await startCollecting(postgres.url, { prompts: 4 }, (response) => {
      away ??= postgres
        .halt()
        .then(() => setTimeout(1000))
        .then(() => postgres.start());
      void setTimeout(500).then(() => response.end(answer));
    });
    const { code } = await here.run(`${run} --at-once 2`);
    expect(code).toBe(0);
    await away;
    await here.run(run);
    expect(timesSent(here)).toEqual([1, 1, 1, 1]);
    expect(await status(here)).toMatchObject({ readings: { done: 4, sent: 0, unknown: 0 } });
    expect(await budget(here)).toMatchObject({ spent_usd: 0.008, held_usd: 0 });
  });
});
