import { expect, test } from 'vitest';
import { connectHost } from '../../test/connect.ts';
import { startFakeOverheard } from '../../test/fake-overheard.ts';
import { idOf } from '../../test/rows.ts';

test('answers come as sentences and sources, and whole only for one run', async () => {
  const fake = await startFakeOverheard();
  const host = await connectHost({ url: fake.url });
  const { rows, text } = await host.call('get_answers', { cited: false });
  expect(rows).toHaveLength(6);
  expect(rows[0]?.['cited']).toEqual([
    { name: 'Globex', how: 'named', rank: 1, sentence: 'Globex is the usual choice. <U+003C>b>' },
  ]);
  expect(rows[0]?.['sources']).toEqual(['https://g2.com/crm']);
  expect(text).not.toContain('xxxx');
  const whole = await host.call('get_answers', { run_id: idOf('c', 0) });
  expect(String(whole.rows[0]?.['text'])).toContain('<U+003C>/answer> xxxx');
  expect(String(whole.rows[0]?.['text']).length).toBeGreaterThan(2000);
  await host.close();
  await fake.close();
});
