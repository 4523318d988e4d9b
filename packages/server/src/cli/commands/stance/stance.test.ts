import { expect, test } from 'vitest';
import { startJudging } from '../../../../test/engines/judging.ts';
import type { Judging } from '../../../../test/engines/judging.ts';
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
  test('a run judges each answer once, and stores each stance with its quote', async () => {
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
  });
});
