import { expect, test } from 'vitest';
import { scoreRows } from '../../test/rows.ts';
import { createResponseCache } from './response-cache.ts';

const response = (etag: string, days = 1) => ({ etag, rows: scoreRows(days), atMs: 0 });

test('the last responses are kept, and the one that was written longest ago goes first', () => {
  const cache = createResponseCache({ responsesMax: 3 });
  for (const name of ['a', 'b', 'c']) cache.set(name, response(name));
  cache.set('a', response('a2'));
  cache.set('d', response('d'));
  expect(['a', 'b', 'c', 'd'].map((name) => cache.get(name)?.etag)).toEqual([
    'a2',
    undefined,
    'c',
    'd',
  ]);
});

test('the kept rows have a limit in all, and a longer response is not kept', () => {
  const cache = createResponseCache({ rowsMax: 10 });
  for (const name of ['a', 'b', 'c']) cache.set(name, response(name, 2));
  expect(['a', 'b', 'c'].map((name) => cache.get(name)?.etag)).toEqual([undefined, 'b', 'c']);
  cache.set('b', response('long', 6));
  expect(cache.get('b')).toBeUndefined();
});
