import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import {
  addEngine,
  answered,
  budget,
  noon,
  plantedKey,
  startCollecting,
  status,
  waitForLongDay,
} from '../../../../test/engines/collecting.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { spawnCommand } from '../../../../test/commands/spawn-command.ts';
import type { Outcome } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'collect run --workspace acme --now';
const midnight = noon + 12 * 3_600_000;
const limited = { status: 429, json: { error: { code: 'rate_limit_exceeded' } } };

eachDatabase({ title: 'collect', onBoth: true }, (create, dialect) => {
  test(
    'a question that may go on only after midnight is not asked of another day',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(
        await create(),
        { prompts: 2 },
        { ...limited, headers: { 'retry-after-ms': '300' } },
        answered,
      );
      const { stderr } = await here.run(`${run} --at-once 1`, { clock: () => midnight - 200 });
      expect(stderr).toContain('Nothing was asked');
      expect(here.sent).toHaveLength(1);
      await here.run(run, { clock: () => midnight + 60_000 });
      expect(here.sent).toHaveLength(3);
      const after = await here.run('collect status --workspace acme --json', {
        clock: () => midnight + 60_000,
      });
      expect(JSON.parse(after.stdout).engines[0].readings).toMatchObject({ missed: 2, done: 2 });
    },
  );

  test(
    'a killed process leaves its question charged at its bound, never sent again, and its slot free',
    { tags: ['once'] },
    async () => {
      const children: Array<ReturnType<typeof spawnCommand>> = [];
      const here = await startCollecting(
        await create(),
        { prompts: 2 },
        () => void children[0]?.child.kill('SIGKILL'),
        answered,
      );
      await here.run(`${addEngine(here)} --at-once 1`);
      const line = `${run} --at-once 1 --database ${here.url}`.split(' ');
      await waitForLongDay();
      const started = spawnCommand(line, { env: { OWN_KEY: plantedKey } });
      children.push(started);
      await started.ended;
      expect(here.sent).toHaveLength(1);
      const soon = Date.now();
      // Its lease is twice the minute that an answer may take.
      await here.run(run, { clock: () => soon + 130_000 });
      expect(here.sent).toHaveLength(2);
      expect(here.sent[1]?.body).not.toEqual(here.sent[0]?.body);
      const { stdout } = await here.run('budget show --workspace acme --json', {
        clock: () => soon,
      });
      expect(JSON.parse(stdout).periods[0]).toMatchObject({ spent_usd: 0.012, held_usd: 0 });
    },
  );

  test('an answer that comes after its reading was given up is kept, and charged at its cost', async () => {
    const url = await create();
    const here = await startCollecting(url, { prompts: 1 }, (response) => {
      const hourLater = (): number => noon + 3_600_000;
      void here.run(run, { clock: hourLater }).then(async () => {
        given = await budget(here);
        response.end(JSON.stringify(answered.json));
      });
    });
    let given: unknown;
    await here.run(run);
    expect(given).toMatchObject({ spent_usd: 0.01, held_usd: 0 });
    expect(here.sent).toHaveLength(1);
    expect(await status(here)).toMatchObject({ readings: { done: 1, unknown: 0 } });
    expect(await budget(here)).toMatchObject({ spent_usd: 0.002, held_usd: 0 });
  });

  test(
    'an engine that may bill and never answers is switched off after five questions',
    { tags: ['once'] },
    async () => {
      const broken = { status: 500, json: { error: { code: 'server_error' } } };
      const here = await startCollecting(await create(), { prompts: 7 }, broken);
      await here.run(`${run} --at-once 1`);
      expect(here.sent).toHaveLength(5);
      expect(await status(here)).toMatchObject({
        off_reason: 'server_error',
        readings: { unknown: 5 },
        cost_usd: 0.05,
      });
    },
  );

  test(
    'money that open questions hold delays others, and ends nothing',
    { tags: ['once'] },
    async () => {
      const here = await startCollecting(
        await create(),
        { prompts: 6, dayUsd: 0.025 },
        (response) => {
          void setTimeout(20).then(() => response.end(JSON.stringify(answered.json)));
        },
      );
      const { stderr } = await here.run(`${run} --at-once 4`);
      expect(stderr).toContain('Asked 6 questions for $0.0120');
      expect(stderr).not.toContain('used up');
      expect(await budget(here)).toMatchObject({ spent_usd: 0.012, held_usd: 0 });
    },
  );

  test(
    'an answer is kept without ciphertext of many megabytes, and without what says nothing',
    { tags: ['once'] },
    async () => {
      const quoted = 'a "quoted" \\ word';
      const ciphertext = { encrypted_content: 'x'.repeat(2 ** 24), signature: 'EqQB/+==' };
      const said = { ...answered.json, quoted, last: 1 };
      const thought = {
        type: 'reasoning.encrypted',
        id: `rs_${'0f'.repeat(20)}`,
        data: 'gA'.repeat(40),
      };
      const json = { ...said, ...ciphertext, thought, nothing: null };
      const here = await startCollecting(await create(), { prompts: 1 }, { json });
      const { stderr } = await here.run(run);
      expect(stderr).toContain('Asked 1 question for $0.0020; imported 1 run.');
      const store = await openStore(here.url);
      onTestFinished(() => store.close());
      const bodies = await (await store.ledger())?.db.selectFrom('bodies').selectAll().execute();
      const [request, kept] = zstdDecompressSync(bodies?.[0]?.response ?? '')
        .toString()
        .split('\n');
      expect(JSON.parse(request ?? '')).toMatchObject({ body: { model: 'small' } });
      const emptied = { encrypted_content: '', signature: '' };
      const shortened = { ...said, ...emptied, thought: { type: 'reasoning.encrypted', data: '' } };
      expect(kept).toBe(JSON.stringify(shortened));
    },
  );

  test('a cost below zero does not raise a budget', { tags: ['once'] }, async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, cost: -5 };
    const here = await startCollecting(
      await create(),
      { prompts: 1 },
      { json: { ...answered.json, usage } },
    );
    await here.run(run);
    // Without a cost that can be true it is charged at its bound.
    expect(await budget(here)).toMatchObject({ spent_usd: 0.01, held_usd: 0 });
  });

  test.runIf(dialect === 'sqlite')(
    'a restored ledger asks nothing that was asked after its backup, until the engine is added again',
    async () => {
      const here = await startCollecting(await create(), { prompts: 1 }, answered);
      const folder = join(dirname(here.url.slice('file:'.length)), 'copy');
      await here.run(`backup ${folder}`);
      await here.run(run);
      expect(here.sent).toHaveLength(1);
      const url = `file:${join(folder, 'overheard.db')}`;
      const ask = (line: string, clock: () => number): Promise<Outcome> =>
        runCommand([...line.split(' '), '--database', url], {
          clock,
          environment: { OWN_KEY: plantedKey },
        });
      expect(await ask(run, () => noon)).toMatchObject({ code: 1 });
      expect(here.sent).toHaveLength(1);
      const shown = await ask('collect status --workspace acme', () => noon);
      expect(shown.stderr).toMatch(/own_api is off because this ledger comes from a backup/);
      const doctor = await ask('doctor', () => noon);
      expect(doctor.stdout).toContain('own_api is not asked: the ledger comes from a backup.');
      const nextDay = (): number => noon + 24 * 3_600_000;
      await ask(addEngine(here), nextDay);
      // The sweep of noon may have been asked before the restore; the last of the day has not begun.
      await ask(run, nextDay);
      expect(here.sent).toHaveLength(1);
      await ask(run, () => nextDay() + 12 * 3_600_000 - 1000);
      expect(here.sent).toHaveLength(2);
    },
  );
});
