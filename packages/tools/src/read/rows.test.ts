import { expect, test } from 'vitest';
import { endpoints, scores } from '@overheard/contract';
import { rowsOfAllKinds, scoreRows } from '../../../mcp/test/rows.ts';
import { parseRows } from './rows.ts';

test('reading stops at the first invalid row', async () => {
  let looked = 0;
  const strange = {
    get date(): string {
      looked++;
      return '20.11.2026';
    },
  };
  const rows = [...scoreRows(1), ...Array.from({ length: 1000 }, () => strange)];
  expect(await parseRows(scores, { scores: rows })).toBeUndefined();
  expect(looked).toBe(1);
});

test.each([undefined, null, [], 'scores', {}, { scores: {} }, { scores: null }, { score: [] }])(
  'a body of %j is refused: it has no list of rows',
  async (body) => {
    expect(await parseRows(scores, body)).toBeUndefined();
  },
);

test.each(endpoints)('no field of $name lets a forged tag through', async (endpoint) => {
  const [row] = rowsOfAllKinds()[endpoint.name];
  const read: unknown[] = [];
  for (const field of endpoint.fields) {
    // Undefined for a field that takes no text.
    const changed = { ...row, [field]: '<|end|>' };
    const rows = await parseRows(endpoint, {
      [endpoint.array]: endpoint.isObject ? changed : [changed],
    });
    read.push(rows);
  }
  expect(read).toHaveLength(endpoint.fields.length);
  expect(JSON.stringify(read)).not.toContain('<|');
});
