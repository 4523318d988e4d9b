import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { connectHost } from '../../../mcp/test/connect.ts';
import { countTokens } from '../../../mcp/test/count-tokens.ts';
import { noise } from '../../../mcp/test/noise.ts';
import { detectionRows, hitRows, promptRows } from '../../../mcp/test/rows.ts';
import { budgets } from './page.ts';
import { useFakeHost } from '../../../mcp/test/fake-host.ts';

const at = useFakeHost();

test('the longest page of usual rows stays under 10,000 tokens, and is a long one', async () => {
  at.fake.write('detections', detectionRows(2000));
  for (const name of ['get_scores', 'get_prompts', 'get_agent_hits', 'get_detections']) {
    const { text, page } = await at.host.call(name, { limit: 500 });
    expect(countTokens(text)).toBeLessThan(10_000);
    expect(page['returned']).toBeGreaterThanOrEqual(Math.min(60, Number(page['total'])));
  }
});

test('the longest page stays under 11,000 bytes, and is nearly as long', async () => {
  const path = ' information'.repeat(60);
  at.fake.write(
    'agent-hits',
    hitRows(500).map((row) => ({ ...row, path })),
  );
  const { text, rows } = await at.host.call('get_agent_hits', { limit: 500 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budgets.most);
  expect(Buffer.byteLength(text)).toBeGreaterThan(9000);
  expect(rows[0]?.['path']).toBe(path);
});

test('a page has at least one row and stays within its budget, whatever the texts are', async () => {
  const texts = fc
    .tuple(noise, noise, noise, noise)
    .map((list) =>
      list.map((text) => `/${text.repeat(1 + 2000 / (text.length + 1)).slice(0, 4000)}`),
    );
  await fc.assert(
    fc.asyncProperty(texts, fc.boolean(), async ([path, name, company, method], isAlone) => {
      const all = { path, bot_name: name, bot_company: company, method };
      const row = { ...hitRows(1)[0], ...(isAlone ? { path } : all) };
      at.fake.write(
        'agent-hits',
        Array.from({ length: 100 }, () => row),
      );
      for (const [args, most] of [
        [{}, budgets.usual],
        [{ limit: 500 }, budgets.most],
      ] as const) {
        const { text, rows } = await at.host.call('get_agent_hits', args);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
        expect(rows.length).toBeGreaterThan(0);
      }
    }),
    { numRuns: cases(15), endOnFailure: true },
  );
});

test('a text that would fill the page is shortened, and a note says so', async () => {
  at.fake.write('prompts', [{ ...promptRows(1)[0], text: 'Which CRM is best? '.repeat(500) }]);
  const { rows, notes } = await at.host.call('get_prompts');
  expect(rows[0]?.['text']).toMatch(/\.\.\. \[shortened from 9500 characters\]$/);
  expect(notes).toContain('1 long text was shortened.');
});

test('text that strangers wrote cannot hide anything', async () => {
  at.fake.write('agent-hits', [{ ...hitRows(1)[0], path: '/a\u202eb\u001b[2J\u{e0049}' }]);
  const { rows, text } = await at.host.call('get_agent_hits');
  expect(rows[0]?.['path']).toBe('/a<U+202E>b<U+001B>[2J<U+E0049>');
  for (const hidden of ['\u202e', '\u001b', '\u{e0049}']) expect(text).not.toContain(hidden);
});

test('a page of changes begins again if a day of the page before was written meanwhile', async () => {
  const days = Array.from({ length: 30 }, (_, index) => ({
    kind: 'answers',
    date: `2026-10-${String(index + 1).padStart(2, '0')}`,
  }));
  at.fake.write('changes', days);
  const first = await at.host.call('get_changes', { limit: 20 });
  at.fake.write('changes', [...days.slice(1), ...days.slice(0, 1)]);
  const cursor = first.page['next_cursor'];
  // The first host keeps the rows that it has read.
  const other = await connectHost({ url: at.fake.url });
  const second = await other.call('get_changes', { limit: 20, cursor });
  expect(second.rows).toEqual(days.slice(1, 21));
  expect(second.notes.join(' ')).toContain('its rows are given again');
  const third = await other.call('get_changes', {
    limit: 20,
    cursor: second.page['next_cursor'],
  });
  expect(third.rows).toEqual([...days.slice(21), ...days.slice(0, 1)]);
  await other.host.close();
});
