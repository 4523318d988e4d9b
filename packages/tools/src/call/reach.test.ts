import { expect, test } from 'vitest';
import { hitRows, idOf, rowsOfAllKinds } from '../../../mcp/test/rows.ts';
import { useFakeHost } from '../../../mcp/test/fake-host.ts';

const at = useFakeHost();

test.each([
  ['get_scores', 'scores', 'date'],
  ['get_prompts', 'prompts', 'created_at'],
  ['get_actions', 'actions', 'created_at'],
  ['get_agent_hits', 'agent-hits', 'hit_at'],
  ['get_detections', 'detections', 'run_at'],
] as const)('every page of %s says from when to when its rows go', async (name, array, moment) => {
  const times = at.fake.data[array].map((row) => String({ ...row }[moment])).toSorted();
  const reach = `Rows go from ${times[0]} to ${times.at(-1)} (${moment}).`;
  const first = await at.host.call(name, { limit: 5 });
  expect(first.notes).toContain(reach);
  const cursor = first.page['next_cursor'];
  expect((await at.host.call(name, { limit: 5, cursor })).notes).toContain(reach);
});

test('rows that a limit has cut are said to be incomplete, and an empty result as well', async () => {
  const rows = hitRows(500);
  at.fake.write('agent-hits', rows);
  const oldest = rows.at(-1)?.hit_at;
  const incomplete = expect.stringContaining(`Incomplete before ${oldest}: the API gives the 500`);
  for (const args of [{}, { bot_name: 'Applebot' }]) {
    expect((await at.host.call('get_agent_hits', args)).notes).toContainEqual(incomplete);
  }
  const recent = await at.host.call('get_agent_hits', { since: rows[5]?.hit_at });
  expect(recent.notes.join(' ')).not.toContain('Incomplete');
  at.fake.write('agent-hits', hitRows(499));
  expect((await at.host.call('get_agent_hits')).notes.join(' ')).not.toContain('Incomplete');
});

test('rows of a report past the limit are said to be missing', async () => {
  const [row] = rowsOfAllKinds().crawls;
  for (const [count, isCut] of [
    [1000, true],
    [999, false],
  ] as const) {
    at.fake.write(
      'crawls',
      Array.from({ length: count }, () => ({ ...row })),
    );
    const { notes } = await at.host.call('get_crawls', { by: 'page', path_prefix: '/rare' });
    expect(notes.join(' ').includes('Incomplete: the API gives 1000 rows at most')).toBe(isCut);
  }
});

test.each([
  [
    'get_agent_hits',
    { since: '2026-10-02T05:00:00Z', until: '2026-10-02' },
    '?from=2026-10-02&to=2026-10-02',
  ],
  ['get_detections', { since: '2026-10-02' }, '?from=2026-10-02'],
  [
    'get_detections',
    { since: '2026-10-02', prompt_id: idOf('a', 0) },
    `?prompt_id=${idOf('a', 0)}`,
  ],
  ['get_agent_hits', { since: '2026-10-03', until: '2026-10-02' }, ''],
  ['get_agent_hits', { since: '0001-01-01' }, ''],
  ['get_scores', { since: '2026-10-02' }, ''],
])('%s asks the API for the days of %o', async (name, args, search) => {
  await at.host.call(name, args);
  const { pathname: _, search: asked } = new URL(at.fake.seen[0]?.url ?? '', at.fake.url);
  expect(asked).toBe(search);
});
