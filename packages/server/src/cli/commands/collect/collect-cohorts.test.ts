import { expect, test } from 'vitest';
import { addEngine, answered, noon, startCollecting } from '../../../../test/engines/collecting.ts';
import type { Collecting } from '../../../../test/engines/collecting.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const dayMs = 86_400_000;
const prompts = 10;
const run = 'collect run --workspace acme --now --at-once 1';
const later = { clock: () => noon + dayMs };
const servedAs = (model: string) => ({ json: { ...answered.json, model } });

/** Asks every prompt on one day, and on the next day as the engine is set up by then. */
async function askOnTwoDays(
  url: string,
  models: [string, string],
  again = '',
): Promise<Collecting> {
  const replies = models.flatMap((model) => Array.from({ length: prompts }, () => servedAs(model)));
  const here = await startCollecting(url, { prompts }, ...replies);
  await here.run(run);
  await here.run(`${addEngine(here)}${again}`);
  await here.run(run, later);
  expect(here.sent).toHaveLength(2 * prompts);
  return here;
}

const shares = 'shares --workspace acme --from 2026-11-21 --to 2026-11-21';
const report = 'report --workspace acme --from 2026-11-21 --to 2026-11-21';

async function verdictOf(here: Collecting): Promise<string> {
  const { stdout } = await here.run(`${shares} --json`, later);
  return JSON.parse(stdout).shares[0].rate_verdict;
}

eachDatabase('the cohort of a run that was asked for', (create) => {
  test(
    'the cohort of a run that was asked for is the same on both days if nothing changed, so the days are compared',
    { tags: ['long'] },
    async () => {
      const here = await askOnTwoDays(await create(), ['small-1', 'small-1']);
      expect(await verdictOf(here)).not.toBe('not_comparable');
      expect(JSON.parse((await here.run(`${report} --json`, later)).stdout).changes).toEqual([]);
    },
  );

  test(
    'the cohort of a run that was asked for differs if another model was served: nothing is compared, and reports say so',
    { tags: ['long'] },
    async () => {
      const here = await askOnTwoDays(await create(), ['small-1', 'small-2']);
      expect(await verdictOf(here)).toBe('not_comparable');
      const shown = await here.run(`${report} --json`, later);
      expect(JSON.parse(shown.stdout).changes).toEqual([
        {
          engine: 'own_api',
          date: '2026-11-21',
          kind: 'model',
          models: ['small-2'],
          models_before: ['small-1'],
        },
      ]);
      const words =
        'On 2026-11-21, own_api began to answer as small-2 (before: small-1). Answers before and after are not compared.';
      expect((await here.run(report, later)).stderr).toContain(words);
      const listed = await here.run('answers list --workspace acme --json', later);
      const runs: ReadonlyArray<{ run_id: string; run_at: string }> = JSON.parse(
        listed.stdout,
      ).answers;
      const [first, last] = ['2026-11-20', '2026-11-21'].map((day) =>
        runs.find((each) => each.run_at.startsWith(day)),
      );
      const show = (id = '') => here.run(`answers show ${id} --workspace acme`, later);
      expect((await show(last?.run_id)).stdout).toContain(words);
      expect((await show(first?.run_id)).stdout).not.toContain('began to answer');
    },
  );

  test(
    'the cohort of a run that was asked for differs if the operator has it asked in another way, although the model is the same',
    { tags: ['long'] },
    async () => {
      const url = await create();
      const here = await askOnTwoDays(url, ['small-1', 'small-1'], ' --output-tokens 500');
      expect(await verdictOf(here)).toBe('not_comparable');
      const { stderr } = await here.run(report, later);
      expect(stderr).toContain('From 2026-11-21 on, own_api was asked or read in another way');
    },
  );

  test('the cohort of a run that was asked for cannot be set by a file of answers', async () => {
    const here = await startCollecting(await create(), { prompts: 1 }, answered);
    const { stderr } = await here.run('answers import - --workspace acme', {
      stdin:
        '{"prompt":"Which?","engine":"own_api","run_at":"2026-11-20T08:00:00Z","answer":"Acme","cohort":"x"}',
    });
    expect(stderr).toMatch(/cohort/);
  });
});
