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

test('narrowed rows say how far back they go, and how far back the API goes', async () => {
  const rows = hitRows(90);
  at.fake.write('agent-hits', rows);
  const [newest, oldest] = [rows[0]?.hit_at, rows.at(-1)?.hit_at];
  const whole = `efore narrowing, the API's rows (90) go from ${oldest} to ${newest}`;
  const { notes } = await at.host.call('get_agent_hits', { since: rows[5]?.hit_at });
  expect(notes).toContain(`Rows go from ${rows[5]?.hit_at} to ${newest} (hit_at); b${whole}.`);
  const none = await at.host.call('get_agent_hits', { bot_name: 'x' });
  expect(none.notes).toContain(`B${whole} (hit_at).`);
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

test.each([
  ['get_crawls', 'crawls', { by: 'page', path_prefix: '/rare' }],
  ['get_sources', 'sources', { by: 'page', search: 'rare' }],
  ['get_shares', 'shares', { by: 'prompt', subject: 'rare' }],
] as const)('rows of %s past the limit are said to be missing', async (name, array, args) => {
  const [row] = rowsOfAllKinds()[array];
  for (const [count, isCut] of [
    [1000, true],
    [999, false],
  ] as const) {
    at.fake.write(
      array,
      Array.from({ length: count }, () => ({ ...row })),
    );
    const { notes } = await at.host.call(name, args);
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

test('days without hits are said to have none by the names of the arguments, with the days that have some', async () => {
  at.fake.write('agent-hits', []);
  at.fake.write('crawls', [{ ...rowsOfAllKinds().crawls[0], date: '2026-11-01' }]);
  const { notes } = await at.host.call('get_agent_hits', { since: '2026-10-02' });
  expect(notes.join(' ')).toMatch(/^The API gave no hits for this `since`: .*There is data from /);
});
