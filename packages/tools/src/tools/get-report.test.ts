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
