import { expect, test } from 'vitest';
import { scoreRows } from '../../test/rows.ts';
import { createAnswerCache } from './answer-cache.ts';

const answer = (etag: string, days = 1) => ({ etag, rows: scoreRows(days) });

test('the last eight answers are kept, the one that was written longest ago goes first', () => {
  const cache = createAnswerCache();
  for (let request = 0; request < 8; request++) cache.set(`${request}`, answer('a'));
  cache.set('0', answer('b'));
  cache.set('8', answer('a'));
  expect(cache.get('0')?.etag).toBe('b');
  expect(cache.get('1')).toBeUndefined();
  for (const request of ['2', '7', '8']) expect(cache.get(request)?.etag).toBe('a');
});

test('a huge answer is not kept, and what it was before neither', () => {
  const cache = createAnswerCache({ rowsMax: 10 });
  cache.set('a', answer('1', 5));
  expect(cache.get('a')?.etag).toBe('1');
  cache.set('a', answer('2', 6));
  expect(cache.get('a')).toBeUndefined();
});
