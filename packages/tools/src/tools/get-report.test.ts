import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { connectHost } from '../../../mcp/test/connect.ts';
import { countTokens } from '../../../mcp/test/count-tokens.ts';
import { startFakeOverheard } from '../../../mcp/test/fake-overheard.ts';
import type { FakeOverheard } from '../../../mcp/test/fake-overheard.ts';
import { reportRow } from '../../../mcp/test/report-row.ts';

let fake: FakeOverheard;
let host: Awaited<ReturnType<typeof connectHost>>;
beforeAll(async () => {
  fake = await startFakeOverheard();
  host = await connectHost({ url: fake.url });
});
afterAll(async () => {
  await host.close();
  await fake.close();
});

/** The rows of a list of the report, and their columns. */
async function listed(name: string) {
  const { rows, notes, text } = await host.call('get_report');
  const line = rows.find((row) => row[name] !== undefined);
  return { line, count: Object(line?.[name]).length, notes: notes.join(' '), text };
}

test('a report that fits has all of its prompts with the addresses of their pages, and no note of what is left out', async () => {
  fake.write('report', [reportRow({ prompts: 2 })]);
  const { line, notes } = await listed('lost');
  expect(line).toEqual({
    columns: ['prompt', 'runs', 'cited', 'leader', 'leader_cited', 'page', 'answer'],
    lost: [0, 1].map((index) => [
      `Which CRM suits agency ${index} that has many customers?`,
      280,
      84,
      'Globex',
      200,
      `/w/acme/p/a00${index}`,
      '/w/acme/a/c000',
    ]),
  });
  expect(notes).not.toContain('Left out');
});

test.each([
  [10, 'Left out to keep this short: moved after the first'],
  [20, 'moved after the first 5; lost after the first'],
])('of %i prompts, those that moved least are dropped first: %s', async (prompts, note) => {
  fake.write('report', [reportRow({ prompts })]);
  const { notes, text } = await listed('moved');
  expect(notes).toContain(note);
  expect(countTokens(text)).toBeLessThan(2000);
});

test('a report has the lost topics first, and says how many it leaves out', async () => {
  fake.write('report', [reportRow({ prompts: 20, topics: 20 })]);
  const { line, count, notes, text } = await listed('topics');
  expect(line).toMatchObject({
    topics: expect.arrayContaining([['Agencies of kind 0', 4, 280, 84, 'Globex', 200, true]]),
  });
  expect(count).toBeGreaterThanOrEqual(5);
  expect(notes).toContain(`topics after the first ${count}`);
  expect(countTokens(text)).toBeLessThan(2000);
});

test('a report says per engine and reason which runs are not compared, and how many it leaves out', async () => {
  const row = reportRow({ prompts: 20 });
  const whys = Array.from(
    { length: 30 },
    (_, index) => `engine_${index}: ${90 - index} now and 12 before (other model or settings)`,
  );
  const surfaces = row.surfaces.map((each, index) => ({
    ...each,
    not_compared: index === 0 ? whys.join('; ') : null,
  }));
  fake.write('report', [{ ...row, surfaces }]);
  const { line, text, notes } = await listed('not_compared');
  const shown = z.object({ not_compared: z.string().array() }).parse(line).not_compared;
  expect(shown.length).toBeGreaterThanOrEqual(6);
  expect(shown).toEqual(whys.slice(0, shown.length));
  expect(shown.length).toBeLessThan(whys.length);
  expect(notes).toContain(`not_compared after the first ${shown.length} of 30`);
  expect(countTokens(text)).toBeLessThan(2000);
});

test.each([
  ['Japanese', '競合', 'どの'],
  ['Georgian', 'კონკურენტი', 'რომელი'],
  ['Amharic', 'ተፎካካሪ', 'የትኛው'],
  ['Hebrew', 'מתחרה', 'איזה'],
  ['Russian', 'конкурент', 'какой'],
])(
  'a report of the longest texts, in %s, has fewer than 2,000 tokens, the whole story and each section',
  { tags: ['long'] },
  async (_, name, question) => {
    const long = (text: string) => text.repeat(300);
    const row = reportRow({ prompts: 20, topics: 20 });
    fake.write('report', [
      {
        ...row,
        topics: row.topics.map((each) => ({ ...each, topic: long(question), leader: long(name) })),
        subjects: row.subjects.map((each) => ({ ...each, name: long(name) })),
        lost: row.lost.map((each) => ({ ...each, prompt: long(question), leader: long(name) })),
        moved: row.moved.map((each) => ({ ...each, prompt: long(question) })),
        gaps: row.gaps.map((each) => ({
          ...each,
          recommendation: long(name),
          steps: [long(question), long(question), long(question)],
        })),
      },
    ]);
    const { text, notes, count } = await listed('gaps');
    expect(countTokens(text)).toBeLessThan(2000);
    expect(count).toBe(3);
    expect(text).toContain(row.story.join('","'));
    for (const section of ['surfaces', 'subjects', 'engines', 'lost', 'moved', 'topics']) {
      expect((await listed(section)).count).toBeGreaterThan(0);
    }
    expect(notes).toMatch(
      /moved after the first \d; lost after the first \d; addresses of rows that did not move/,
    );
  },
);

test('a report of many engines names in its notes only those that it shows', async () => {
  const row = reportRow({ prompts: 20 });
  const [engine] = row.engines;
  const engines = Array.from({ length: 30 }, (_, index) => ({
    ...engine,
    engine: `provider_model_name_${index}_api`,
  }));
  fake.write('report', [{ ...row, engines }]);
  const { text, line } = await listed('engines');
  expect(countTokens(text)).toBeLessThan(2000);
  expect(text.match(/provider_model_name_\d+_api/g)).toHaveLength(
    2 * z.object({ engines: z.array(z.unknown()) }).parse(line).engines.length,
  );
});

test('a report without answers says where else figures may be, and on which days there is data', async () => {
  const row = reportRow({ prompts: 0 });
  const surfaces = row.surfaces.map((each) => ({ ...each, runs: 0 }));
  fake.write('report', [{ ...row, surfaces }]);
  const { notes } = await listed('story');
  expect(notes).toContain('get_scores');
  expect(notes).toMatch(/There is data from 2026-\d\d-\d\d to 2026-\d\d-\d\d\./);
});
