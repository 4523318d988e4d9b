import { expect, test } from 'vitest';
import type { RunEvidence } from './evidence.ts';
import { impactOf, impactScore, priorityOf, stakeOf } from './impact.ts';
import { findPromptGaps } from './prompt-rules.ts';
import { findDrops } from './drops.ts';
import { recommend } from './gap-words.ts';
import { tallyEngines } from './tally.ts';

/** A run in letters, in the order of rank: `a` is the brand, others competitors; capitals are linked only, `!` behind adds a link. */
function run(letters: string, engine = 'chatgpt'): RunEvidence {
  const cited = [...letters.matchAll(/([a-z])(!?)/gi)].map(
    ([, letter = '', link], index): RunEvidence['competitors'][number] & { letter: string } => ({
      letter: letter.toLowerCase(),
      subjectId: letter.toLowerCase(),
      rank: index + 1,
      isNamed: letter === letter.toLowerCase(),
      isLinked: link === '!' || letter !== letter.toLowerCase(),
    }),
  );
  return {
    id: letters,
    engine,
    model: null,
    brand: cited.find(({ letter }) => letter === 'a'),
    competitors: cited.filter(({ letter }) => letter !== 'a'),
    pages: [],
  };
}

const runs = (text: string, engine = 'chatgpt'): RunEvidence[] =>
  text === '' ? [] : text.split(' ').map((letters) => run(letters, engine));

const noDrops = { engineGaps: new Map(), declines: new Map() };

/** The gap of a prompt with these runs, without drops. */
function gapOf(current: readonly RunEvidence[], before: readonly RunEvidence[] = []) {
  const tallies = { current: tallyEngines(current), before: tallyEngines(before) };
  return findPromptGaps({ id: 'p', text: 'Which?', ...tallies }, noDrops)[0];
}

const declinesOf = (prompts: Parameters<typeof findDrops>[0]) => findDrops(prompts).declines;

type Case = [
  why: string,
  current: string,
  before: string,
  ...([] | [kind: string, part: number, whole: number]),
];

const cases: Case[] = [
  ['cited in half of the runs before, not at all now', 'b b b - -', 'a a a - - -', 'lost', 5, 5],
  ['cited in less than half before', 'b b b - -', 'a a - - -', 'absent', 3, 5],
  ['too few runs before to call it a rate', 'b b b - -', 'a a a a', 'absent', 3, 5],
  ['lost comes first, even where nobody is cited now', '- - - - -', 'a a a a a', 'lost', 5, 5],
  ['competitors in exactly half of the runs', 'b c - - b -', '', 'absent', 3, 6],
  ['competitors in less than half: rarely cited', 'b b - - - b -', '', 'rarely cited', 3, 7],
  ['fewer than three runs cite the best competitor', 'b c - - - b -', ''],
  ['nobody is cited: no gap to anybody', '- - - - -', ''],
  ['under a third, the best at twice it', 'ab b - b b -', '', 'rarely cited', 3, 6],
  ['exactly a third is not under it', 'ab ab b b b b', ''],
  ['under a third, the best below twice it', 'a ac a c - - - - - -', ''],
];

test.each(cases)(
  'the rules find the planted gap: %s',
  (_why, current, before, ...[kind, part, whole]) => {
    const gap = gapOf(runs(current), runs(before));
    expect(gap === undefined ? undefined : [gap.kind, gap.stake.share]).toEqual(
      kind === undefined ? undefined : [kind, { part, whole }],
    );
  },
);

const times = (count: number, letters: string): string =>
  Array.from({ length: count }, () => letters).join(' ');

const standings: Case[] = [
  ['the same competitor before it always', times(5, 'ba'), '', 'outranked', 5, 5],
  ['four runs are too few to say who is ahead', times(4, 'ba'), ''],
  ['second behind another one each time', 'ba ca da ea fa ga', ''],
  ['ahead in most runs, but not beyond chance', `${times(5, 'ba')} ${times(3, 'ab')}`, ''],
  ['named in half, linked in none, a competitor linked', 'a a ab! - a - a', '', 'not linked', 5, 7],
  ['linked once is linked', 'a! a ab! a a a', ''],
  ['no competitor is linked either', 'a a ab - a a', ''],
  ['linked always, never named', times(5, 'A'), '', 'not named', 5, 5],
  ['linked in four runs only', times(4, 'A'), ''],
  ['linked, and named half of the time', `${times(5, 'A')} ${times(5, 'a!')}`, ''],
];

test.each(standings)(
  'the rules find the planted gap: %s',
  (_why, current, _before, ...[kind, part, whole]) => {
    const gap = gapOf(runs(current));
    expect(gap === undefined ? undefined : [gap.kind, gap.stake.share]).toEqual(
      kind === undefined ? undefined : [kind, { part, whole }],
    );
  },
);

test('the sentence of a gap counts all answers, also those of engines that cite the brand', () => {
  const current = [
    ...runs(times(7, 'a'), 'chatgpt'),
    ...runs(times(12, 'b'), 'gemini'),
    ...runs(times(7, 'b'), 'claude'),
  ];
  const gap = gapOf(current);
  const tallies = { current: tallyEngines(current), before: new Map() };
  const days = { from: '', to: '' };
  const names = new Map([['b', 'Globex']]);
  const kindOf = () => 'other' as const;
  const window = { brand: 'Acme', names, kindOf, current: days, before: days, runsUsual: 26 };
  expect(gap && recommend(gap, { id: 'p', text: 'Which?', ...tallies }, window)).toBe(
    'Get cited more often for "Which?": Acme is cited in 7 of 26 answers; never on claude (7 answers) and gemini (12 answers); cited instead: Globex (19).',
  );
});

test('a gap on one engine is found, even if the figures of all engines hide it', () => {
  const current = [...runs(times(10, 'A'), 'perplexity'), ...runs(times(40, 'a!'), 'chatgpt')];
  const gap = gapOf(current);
  expect(gap).toMatchObject({ kind: 'not named', engines: ['perplexity'] });
});

test('another mix of engines does not count as a decline, but a fall on one engine does', () => {
  const strong = (count: number) => runs(times(count, 'a'), 'chatgpt');
  const weak = (count: number) => runs(times(count, 'b'), 'gemini');
  const mixed = { id: 'mix', text: '', current: tallyEngines([...strong(28), ...weak(28)]) };
  const before = tallyEngines([...strong(28), ...weak(2)]);
  expect(declinesOf([{ ...mixed, before }]).size).toBe(0);
  const fallen = [...runs(`${times(8, 'a')} ${times(20, 'b')}`, 'gemini'), ...strong(280)];
  const high = [...runs(times(28, 'a'), 'gemini'), ...strong(280)];
  const found = declinesOf([
    { id: 'fall', text: '', current: tallyEngines(fallen), before: tallyEngines(high) },
  ]);
  expect(found.get('fall')).toMatchObject({ stake: { share: { part: 20 } } });
});

test('another model on the same engine is not compared', () => {
  const of = (model: string, letters: string) =>
    runs(times(28, letters)).map((one) => ({ ...one, model }));
  const pair = (model: string) => [
    {
      id: 'p',
      text: '',
      current: tallyEngines(of(model, 'b')),
      before: tallyEngines(of('old', 'a')),
    },
  ];
  expect(declinesOf(pair('old')).size).toBe(1);
  expect(declinesOf(pair('new')).size).toBe(0);
});

test('engines that differ by chance have no gap', () => {
  const current = [...runs('a a b a b', 'chatgpt'), ...runs('a a a a b', 'gemini')];
  expect(
    findDrops([{ id: 'p', text: '', current: tallyEngines(current), before: new Map() }]).engineGaps
      .size,
  ).toBe(0);
});

test('impact grows with what is at stake, never reaches the end of its band, and blocked pages come first', () => {
  const scores = [0, 1, 5, 20, 100, 10_000].map((count) =>
    impactScore(
      impactOf(stakeOf({ part: count, whole: count }), { range: 'answers', runsUsual: 40 }),
    ),
  );
  expect(scores).toEqual(scores.toSorted((left, right) => left - right));
  expect(scores[0]).toBe(0);
  expect(scores.at(-1)).toBeLessThan(90);
  const refused = stakeOf({ part: 5, whole: 5 });
  const [corpus, answers] = (['refusedCorpus', 'refused'] as const).map((range) =>
    impactScore(impactOf(refused, { range, runsUsual: 40 })),
  );
  expect(corpus).toBeGreaterThan(90);
  expect(answers).toBeGreaterThan(95);
  const many = impactOf(stakeOf({ part: 1e6, whole: 1e6 }), { range: 'refused', runsUsual: 40 });
  expect(impactScore(many)).toBeLessThan(100);
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
