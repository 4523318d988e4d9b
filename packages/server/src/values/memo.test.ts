import { expect, test } from 'vitest';
import { createMemo } from './memo.ts';

test('a remembered result is computed once, undefined included, and few are kept', () => {
  const computed: string[] = [];
  const remembered = createMemo(
    (text) => {
      computed.push(text);
      return text === '' ? undefined : text.length;
    },
    { entriesMax: 2 },
  );
  expect(['a', '', 'a', ''].map(remembered)).toEqual([1, undefined, 1, undefined]);
  expect(computed).toEqual(['a', '']);
  expect(['b', 'b', 'a'].map(remembered)).toEqual([1, 1, 1]);
  expect(computed).toEqual(['a', '', 'b', 'a']);
});

test('a text that is longer than the limit is computed each time', () => {
  let count = 0;
  const remembered = createMemo(() => ++count, { lengthMax: 2 });
  expect(['ab', 'ab', 'abc', 'abc', 'ab'].map(remembered)).toEqual([1, 1, 2, 3, 1]);
});
