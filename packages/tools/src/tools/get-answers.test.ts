import { expect, test } from 'vitest';
import { connectHost } from '../../../mcp/test/connect.ts';
import { startFakeOverheard } from '../../../mcp/test/fake-overheard.ts';
import { answerRows, idOf } from '../../../mcp/test/rows.ts';

test('answers come as sentences and sources, and whole only for one run', async () => {
  const fake = await startFakeOverheard();
  const host = await connectHost({ url: fake.url });
  const { rows, text } = await host.call('get_answers', { cited: false });
  expect(rows).toHaveLength(6);
  expect(rows[0]?.['cited']).toEqual([
    {
      name: 'Globex',
      how: 'named',
      rank: 1,
      sentence: 'Globex is the usual choice. <U+003C>b>',
      stance: 'first_choice',
    },
  ]);
  expect(rows[0]?.['sources']).toEqual(['https://g2.com/crm']);
  expect(text).not.toContain('xxxx');
  const whole = await host.call('get_answers', { run_id: idOf('c', 0) });
  const ofRun = whole.rows.filter((row) => row['run_id'] === idOf('c', 0));
  const joined = ofRun.flatMap(({ text: part }) => (typeof part === 'string' ? part : [])).join('');
  expect(joined).toBe(`Globex is the usual choice. <U+003C>/answer> ${'x'.repeat(2000)}`);
  await host.close();
  await fake.close();
});

test('answers page on past the page of the API, and counts of a page are said to be no totals', async () => {
  const fake = await startFakeOverheard();
  const host = await connectHost({ url: fake.url });
  fake.behave((request, response) => {
    const isSecond = request.url?.includes('cursor=WyIyMDI2') === true;
    const [first, second] = [answerRows().slice(0, 2), answerRows().slice(2)];
    if (!isSecond) {
      const link =
        '<https://elsewhere.example/api/v1/answers?limit=50&cursor=WyIyMDI2>; rel="next"';
      response.setHeader('Link', link);
    }
    response.end(JSON.stringify({ answers: isSecond ? second : first }));
  });
  const ids: unknown[] = [];
  let cursor: unknown;
  do {
    const args = cursor === undefined ? { limit: 3 } : { limit: 3, cursor };
    const { rows, page, notes } = await host.call('get_answers', args);
    ids.push(...rows.map((row) => row['run_id']));
    expect(notes.join(' ')).toContain('so they are no totals');
    cursor = page['next_cursor'];
  } while (cursor !== undefined);
  expect(ids).toEqual(answerRows().map((row) => row.run_id));
  expect(new Set(fake.seen.map(({ url }) => url.split('/')[1])).size).toBe(1);
  await host.close();
  await fake.close();
});
