import { expect, test } from 'vitest';
import { scoreRows } from '../../test/rows.ts';
import { createAnswerCache } from './answer-cache.ts';

const answer = (etag: string, days = 1) => ({ etag, rows: scoreRows(days), atMs: 0 });

test('the last answers are kept, the one that was written longest ago goes first', () => {
  const cache = createAnswerCache({ answersMax: 3 });
  for (const name of ['a', 'b', 'c']) cache.set(name, answer(name));
  cache.set('a', answer('a2'));
  cache.set('d', answer('d'));
  expect(['a', 'b', 'c', 'd'].map((name) => cache.get(name)?.etag)).toEqual([
    'a2',
    undefined,
    'c',
    'd',
  ]);
});

test('the kept rows have a limit in all, and a longer answer is not kept', () => {
  const cache = createAnswerCache({ rowsMax: 10 });
  for (const name of ['a', 'b', 'c']) cache.set(name, answer(name, 2));
  expect(['a', 'b', 'c'].map((name) => cache.get(name)?.etag)).toEqual([undefined, 'b', 'c']);
  cache.set('b', answer('long', 6));
  expect(cache.get('b')).toBeUndefined();
});
