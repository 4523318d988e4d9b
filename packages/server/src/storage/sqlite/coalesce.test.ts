import { expect, test } from 'vitest';
import { coalesce } from './coalesce.ts';

test('lookups of one turn are read together, and each gets its own value', async () => {
  const rounds: number[][] = [];
  const double = coalesce((numbers: readonly number[]) => {
    rounds.push([...numbers]);
    return numbers.map((number) => number * 2);
  }, setImmediate);

  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(rounds).toEqual([[1, 2, 3], [4]]);
});

test('lookups that come while others are read wait for the next read', async () => {
  let change = 1;
  const state = coalesce(async (asked: readonly string[]) => {
    const read = change;
    await new Promise(setImmediate);
    return asked.map((who) => `${who} sees ${read}`);
  }, setImmediate);

  const first = state('first');
  await new Promise(setImmediate);
  change = 2;
  expect(await Promise.all([first, state('second')])).toEqual(['first sees 1', 'second sees 2']);
});

test('a failure reaches every caller that waited, and no later one', async () => {
  let isBroken = true;
  const answer = coalesce((asked: readonly string[]) => {
    if (isBroken) throw new Error('broken');
    return asked;
  }, setImmediate);

  const outcomes = await Promise.allSettled([answer('one'), answer('two')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await answer('three')).toBe('three');
});
