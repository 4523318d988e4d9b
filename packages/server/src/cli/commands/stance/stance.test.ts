import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { answerRows, reply, startJudging, usageOf } from '../../../../test/engines/judging.ts';
import type { Judging, Verdict } from '../../../../test/engines/judging.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';
import { openStore } from '../../../storage/open/open-store.ts';

const run = 'stance run --workspace acme --at-once 1 --json';

async function result(here: Judging, line = run): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await here.run(line);
  return stdout === '' ? { stderr } : JSON.parse(stdout);
}

/** The stored rows by the name of their subject, in the order of the answers. */
async function rows(here: Judging): Promise<object[]> {
  const store = await openStore(here.url);
  try {
    return await store.reader
      .selectFrom('stances')
      .innerJoin('subjects', (join) =>
        join
          .onRef('subjects.workspace_id', '=', 'stances.workspace_id')
          .onRef('subjects.id', '=', 'stances.subject_id'),
      )
      .innerJoin('runs', (join) =>
        join
          .onRef('runs.workspace_id', '=', 'stances.workspace_id')
          .onRef('runs.id', '=', 'stances.run_id'),
      )
      .select(['name', 'stance', 'purpose', 'quote', 'judge', 'stances.model', 'sentiment'])
      .orderBy('run_at', 'desc')
      .orderBy('name')
      .execute();
  } finally {
    await store.close();
  }
}

eachDatabase({ title: 'stance', onBoth: true }, (create) => {
  test(
    'a run judges each answer once, and stores each stance with its quote',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(
        await create(),
        ['Acme is ideal for small teams.\n\nGlobex is too dear.', 'Many use Acme.'],
        {
          verdict: ({ name, excerpts }) =>
            name === 'Globex'
              ? ['F', null, 'Globex is too dear']
              : excerpts.join('').includes('ideal')
                ? ['B', 'small teams', 'ideal for **small teams**']
                : ['D', null, 'Many people use Acme'],
        },
      );
      expect(await result(here)).toEqual({
        answers: 2,
        done: 2,
        failed: 0,
        unknown: 0,
        cost_usd: 0.004,
        judged: 2,
        void: 1,
        left: 0,
        is_over_budget: false,
        left_out: [],
      });
      const by = { judge: 'own_api', model: 'small-1' };
      expect(await rows(here)).toEqual([
        {
          name: 'Acme',
          stance: 'recommended_for',
          purpose: 'small teams',
          quote: 'ideal for small teams',
          sentiment: 'positive',
          ...by,
        },
        {
          name: 'Globex',
          stance: 'advised_against',
          purpose: null,
          quote: 'Globex is too dear',
          sentiment: 'negative',
          ...by,
        },
        { name: 'Acme', stance: null, purpose: null, quote: null, sentiment: null, ...by },
      ]);
      expect(await result(here)).toMatchObject({ answers: 0, done: 0, cost_usd: 0 });
      expect(here.asked).toHaveLength(2);
    },
  );

  test('the estimate is within a tenth of the cost, by prices and then by the last judgements', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'overheard-prices-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const prices = path.join(folder, 'prices.json');
    const price = { engine: 'own_api', model: 'small', input: 0.4, output: 2, from: '2026-01-01' };
    await writeFile(prices, JSON.stringify([price]));
    const words =
      'is a good choice for small teams that want to begin within a day and keep their data';
    const about = (name: string) =>
      `- **${name}**: ${name} ${words}. ${'It has many features. '.repeat(9)}`;
    const answer = (place: number) =>
      `Here are CRMs for ${place} people.\n\n${about('Acme')}\n${about('Globex')}`;
    const verdict: Verdict = ({ name }) => ['B', 'small teams', `${name} ${words}`];
    const sends = (verdicts: object, question: string) => {
      const { json } = reply(verdicts, question);
      return { status: 200, json: { ...json, model: 'small', usage: usageOf(verdicts, question) } };
    };
    const answers = Array.from({ length: 20 }, (_, place) => answer(place));
    const here = await startJudging(await create(), answers, { verdict, sends });
    const estimate = await result(
      here,
      `stance estimate --workspace acme --price-file ${prices} --json`,
    );
    expect(estimate).toMatchObject({
      answers: 20,
      questions: 20,
      subjects: 40,
      basis: 'prices',
      sample: 3,
    });
    const { cost_usd: cost } = await result(here, `${run} --price-file ${prices}`);
    expect(Math.abs(Number(estimate['usd']) / Number(cost) - 1)).toBeLessThan(0.1);
    await here.run('answers import - --workspace acme', {
      stdin: answerRows(answers).replaceAll('Which CRM', 'What CRM'),
    });
    const next = await result(here, 'stance estimate --workspace acme --json');
    expect(next).toMatchObject({ answers: 20, basis: 'ledger', usd: cost });
  });

  test(
    'a sample is the earliest answers of each prompt, engine and week, and all are more',
    { tags: ['once'] },
    async () => {
      // Five answers of one prompt, of which the first two hours are of another week.
      const here = await startJudging(await create(), []);
      const at = ['2026-11-15T23:00:00Z', '2026-11-16T01:00:00Z', '2026-11-16T02:00:00Z'];
      const rowsOf = [...at, '2026-11-16T03:00:00Z', '2026-11-16T04:00:00Z'].map((runAt) =>
        JSON.stringify({ prompt: 'Which?', engine: 'chatgpt', run_at: runAt, answer: 'Acme.' }),
      );
      await here.run('answers import - --workspace acme', { stdin: rowsOf.join('\n') });
      const set = 'stance set --workspace acme --engine own_api --day 1 --month 1 --sample';
      const estimate = 'stance estimate --workspace acme --json';
      await here.run(`${set} 2`);
      expect(await result(here, estimate)).toMatchObject({ answers: 3 });
      await here.run(`${set} all`);
      expect(await result(here, estimate)).toMatchObject({ answers: 5 });
      expect(await result(here)).toMatchObject({ done: 5 });
    },
  );

  test('answers that rules prove cost nothing', { tags: ['once'] }, async () => {
    const here = await startJudging(await create(), [
      'Best for small teams: Acme',
      'See [this](https://globex.com/a).',
    ]);
    await here.run('subject set Globex --workspace acme --add-domain globex.com');
    await here.run('answers redetect --workspace acme');
    expect(await result(here)).toMatchObject({ answers: 2, done: 0, judged: 2, cost_usd: 0 });
    expect(await rows(here)).toMatchObject([
      { name: 'Acme', stance: 'recommended_for', purpose: 'small teams', model: null },
      { name: 'Globex', stance: 'plain', quote: 'https://globex.com/a', sentiment: 'neutral' },
    ]);
    expect(here.asked).toEqual([]);
  });

  test(
    'the question holds the parts that name a subject, and neither prompt, workspace nor search',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), [
        `${'Nothing is named here. '.repeat(90)}\n\n## Tools\n\nAcme is one.`,
      ]);
      await result(here);
      const [question = ''] = here.asked;
      expect(question).toContain('Acme is one.');
      expect(question).not.toMatch(/Nothing is named|Which CRM|chatgpt|acme/);
      expect(question.length).toBeLessThan(2000);
      expect(here.bodies[0]).not.toHaveProperty('tools');
      expect(here.bodies[0]).not.toHaveProperty('plugins');
    },
  );

  test(
    'a budget that is set again keeps its sample and its daily switch',
    { tags: ['once'] },
    async () => {
      const here = await startJudging(await create(), []);
      const set = 'stance set --workspace acme --engine own_api --month 9 --json --day';
      await here.run(`${set} 1 --sample all --daily on`);
      expect(await result(here, `${set} 2`)).toEqual({
        engine: 'own_api',
        day_usd: 2,
        month_usd: 9,
        sample: null,
        is_daily: true,
      });
    },
  );
});
