import { expect, test } from 'vitest';
import { shareRows } from '../../../mcp/test/rows.ts';
import { useFakeHost } from '../../../mcp/test/fake-host.ts';

const at = useFakeHost();

test('values of a list and truths may be in any case', async () => {
  const { isError } = await at.host.call('get_answers', { cited: 'False' });
  expect(isError).toBe(false);
  const { page } = await at.host.call('get_actions', { status: 'Done' });
  expect(page['matched']).toBe(3);
});

test('shares by prompt begin with the lowest rate of the brand and the highest of others', async () => {
  const all = shareRows();
  const rows = [0.4, 0.1, 0.7].flatMap((rate) =>
    ['Acme', 'Globex'].map((name) => ({
      ...all[0],
      subject_type: name === 'Acme' ? 'brand' : 'competitor',
      name,
      cited: rate * 100,
      rate,
    })),
  );
  at.fake.write('shares', rows);
  const { rows: given } = await at.host.call('get_shares', { by: 'prompt' });
  expect(given.map((row) => [row['name'], row['rate']])).toEqual([
    ['Acme', 0.1],
    ['Acme', 0.4],
    ['Acme', 0.7],
    ['Globex', 0.7],
    ['Globex', 0.4],
    ['Globex', 0.1],
  ]);
});
