import { expect, onTestFinished, test } from 'vitest';
import { connectHost } from '../../../mcp/test/connect.ts';
import { startFakeOverheard } from '../../../mcp/test/fake-overheard.ts';
import { reportRow } from '../../../mcp/test/report-row.ts';
import { actionRows, idOf } from '../../../mcp/test/rows.ts';

async function hostWith(topics: ReadonlyArray<readonly [string, number[], boolean]>) {
  const fake = await startFakeOverheard();
  const host = await connectHost({ url: fake.url });
  onTestFinished(async () => {
    await host.close();
    await fake.close();
  });
  fake.write('actions', actionRows(6));
  const report = reportRow();
  const groups = topics.map(([topic, actions, isOutside]) => ({
    topic,
    gaps: actions.length,
    prompts: 2,
    impact_score: 80,
    step: 'Get Acme onto g2.com/crm.',
    is_outside_market: isOutside,
    actions: actions.map((index) => idOf('ac', index)),
  }));
  fake.write('report', [{ ...report, gap_topics: groups }]);
  return { fake, host };
}

test('open actions are grouped by topic, and those of topics outside of the market come last and are counted apart', async () => {
  const { host } = await hostWith([
    ['Tents', [1, 4], false],
    ['Kayaks', [0, 2], true],
  ]);
  const { rows, notes } = await host.call('get_actions');
  expect(rows.map(({ id, topic }) => [id, topic])).toEqual([
    [idOf('ac', 1), 'Tents'],
    [idOf('ac', 4), 'Tents'],
    [idOf('ac', 3), null],
    [idOf('ac', 5), null],
    [idOf('ac', 0), 'Kayaks'],
    [idOf('ac', 2), 'Kayaks'],
  ]);
  expect(notes).toContain(
    'Topic Tents: gaps 2, prompts 2, impact up to 80; first: Get Acme onto g2.com/crm.',
  );
  expect(notes.join(' ')).toContain('not the market, Kayaks 2.');
  expect(notes.join(' ')).not.toContain('Topic Kayaks');
  const one = await host.call('get_actions', { prompt_id: rows[0]?.['prompt_id'] });
  expect(one.rows.length).toBeLessThan(rows.length);
  expect(one.notes).toContain('Topics are counted over all open actions, whatever the filters:');
});
