import { expect, test } from 'vitest';
import type { CitedSubject, RunEvidence } from './evidence.ts';
import { impactOf, priorityOf } from './impact.ts';
import { findGap } from './kinds.ts';

/** A run in letters, in the order of rank: `a` is the brand, others competitors; capitals are linked only, `!` behind adds a link. */
function run(letters: string): RunEvidence {
  const cited = [...letters.matchAll(/([a-z])(!?)/gi)].map(
    ([, letter = '', link], index): CitedSubject & { letter: string } => ({
      letter: letter.toLowerCase(),
      subjectId: letter.toLowerCase(),
      rank: index + 1,
      isNamed: letter === letter.toLowerCase(),
      isLinked: link === '!' || letter !== letter.toLowerCase(),
    }),
  );
  return {
    engine: 'chatgpt',
    brand: cited.find(({ letter }) => letter === 'a'),
    competitors: cited.filter(({ letter }) => letter !== 'a'),
    sites: [],
  };
}

const runs = (text: string): RunEvidence[] => text.split(' ').map(run);

type Case = [
  why: string,
  current: string,
  before: string,
  ...([] | [kind: string, part: number, whole: number]),
];

const cases: Case[] = [
  ['cited in half of the runs before, not at all now', 'b b b - -', 'a a a - - -', 'lost', 1, 1],
  ['cited in less than half before', 'b b b - -', 'a a - - -', 'absent', 1, 1],
  ['too few runs before to call it a rate', 'b b b - -', 'a a a a', 'absent', 1, 1],
  ['lost comes first, even where nobody is cited now', '- - - - -', 'a a a a a', 'lost', 1, 1],
  ['competitors in exactly half of the runs', 'b c - - b -', '', 'absent', 1, 1],
  ['competitors in less than half: rarely cited', 'b c - - - b -', '', 'rarely cited', 7, 7],
  ['nobody is cited: no gap to anybody', '- - - - -', ''],
  ['under a third, the best at twice it', 'ab b - - -', '', 'rarely cited', 4, 5],
  ['exactly a third is not under it', 'ab ab b b b b', ''],
  ['under a third, the best below twice it', 'a ac - - - - -', ''],
  ['a competitor before it in half of its runs', 'ba a a ba ca ac', '', 'outranked', 3, 6],
  ['a competitor before it in less than half', 'ba a a a ca ac', ''],
  ['named in half, linked in none, a competitor linked', 'a a ab! - - a', '', 'not linked', 4, 6],
  ['linked once is linked', 'a! a ab! - - a', ''],
  ['no competitor is linked either', 'a a ab - - a', ''],
  ['cited by link alone is cited', 'A A A A A', ''],
];

test.each(cases)('%s', (_why, current, before, ...[kind, part, whole]) => {
  const gap = findGap(runs(current), before === '' ? [] : runs(before));
  expect(gap).toEqual(kind === undefined ? undefined : { kind, absence: { part, whole } });
});

test('impact is the product of its factors, of 100, with one decimal', () => {
  const share = (part: number, whole: number) => ({ part, whole });
  const impact = impactOf({ weight: share(12, 40), absence: share(2, 3), rivalry: share(9, 12) });
  expect(impact).toBe(15);
  expect(impactOf({ weight: share(1, 1), absence: share(1, 1), rivalry: share(1, 1) })).toBe(100);
  expect(impactOf({ weight: share(0, 0), absence: share(1, 1), rivalry: share(1, 1) })).toBe(0);
  expect(impactOf({ weight: share(1, 3), absence: share(1, 1), rivalry: share(1, 1) })).toBe(33.3);
});

test('priority is high from 60 and medium from 30', () => {
  expect([100, 60, 59.9, 30, 29.9, 0].map(priorityOf)).toEqual([
    'high',
    'high',
    'medium',
    'medium',
    'low',
    'low',
  ]);
});
