import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fisherTest, signTest, studentQuantile, studentTail } from './distributions.ts';
import { compareAlone, compareRatios, controlFalseDiscoveries } from './compare.ts';
import { promptCorrelation, promptInterval, wilsonInterval } from './estimate.ts';

/** Expected values that name SciPy were computed with SciPy 1.17: another implementation. */
test("Student's t agrees with SciPy to 10 digits", () => {
  const quantiles = { 1: 12.706204736174694, 2: 4.302652729749462, 9: 2.262157162798205 };
  for (const [freedom, quantile] of Object.entries({ ...quantiles, 499: 1.9647293909876886 })) {
    expect(studentQuantile(Number(freedom))).toBeCloseTo(quantile, 10);
  }
  expect(studentTail(1, 1)).toBeCloseTo(0.5, 12);
  expect(studentTail(-2.5, 9)).toBeCloseTo(0.033861827682985735, 12);
  expect(studentTail(8, 40) / 7.905084110104538e-10).toBeCloseTo(1, 8);
  expect(studentTail(0, 5)).toBe(1);
});

test("Fisher's exact test agrees with SciPy", () => {
  const tables: ReadonlyArray<readonly [number, number, number, number, number]> = [
    [3, 10, 9, 12, 0.0835573095635015],
    [0, 20, 5, 20, 0.04712404712404713],
    [1, 1, 0, 1, 1],
    [120, 400, 90, 410, 0.010236013525735534],
    [2, 2, 2, 2, 1],
  ];
  for (const [part, whole, otherPart, otherWhole, chance] of tables) {
    const found = fisherTest({ part, whole }, { part: otherPart, whole: otherWhole });
    expect(found).toBeCloseTo(chance, 9);
  }
});

test("the sign test has the chances that Pascal's triangle gives", () => {
  const known: ReadonlyArray<readonly [number, number, number]> = [
    [2, 0, 1 / 4],
    [0, 2, 1],
    [1, 1, 3 / 4],
    [5, 1, (6 + 1) / 64],
    [8, 2, (45 + 10 + 1) / 1024],
    [3, 7, 1 - (45 + 10 + 1) / 1024],
    [20, 0, 1 / 2 ** 20],
  ];
  for (const [more, fewer, chance] of known) {
    expect(signTest(more, fewer) / chance).toBeCloseTo(1, 12);
  }
  expect(signTest(40_000, 0)).toBe(0);
});

test("the interval of independent runs is Wilson's: known values", () => {
  // Newcombe 1998, table I, method 3 (doi.org/10.1002/(SICI)1097-0258(19980430)17:8).
  const known: ReadonlyArray<readonly [number, number, number, number]> = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ];
  for (const [part, whole, low, high] of known) {
    const interval = wilsonInterval({ part, whole });
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  }
  expect(wilsonInterval({ part: 0, whole: 0 })).toBeUndefined();
});

test('the interval over prompts has the reference values of another implementation', () => {
  const times = (count: number, value: number) => Array.from({ length: count }, () => value);
  const known: ReadonlyArray<readonly [readonly number[], readonly number[], number, number]> = [
    [[1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3], times(12, 8), 0.1626, 0.3639],
    [[8, 7, 5, 2, 1, 1, 0, 0, 0, 0, 0, 0], times(12, 8), 0.0922, 0.5224],
    [[3, 3, ...times(18, 0)], times(20, 3), 0.0234, 0.3402],
    [times(20, 0), times(20, 8), 0, 0.2217],
    [[24, ...times(19, 0)], times(20, 24), 0.008, 0.255],
    [times(20, 1), times(20, 24), 0.0253, 0.068],
    [times(10, 8), times(10, 8), 0.6371, 1],
    [[2, 0, 5, 1, 9, 0, 3, 0], [4, 2, 10, 8, 12, 3, 9, 6], 0.1581, 0.6481],
  ];
  for (const [parts, wholes, low, high] of known) {
    const interval = promptInterval(paired(parts, wholes));
    expect([interval?.low.toFixed(4), interval?.high.toFixed(4)]).toEqual([
      low.toFixed(4),
      high.toFixed(4),
    ]);
  }
});

test('the correlation is 1 where each prompt is always or never cited, 0 where prompts do not differ', () => {
  expect(promptCorrelation(paired([8, 8, 0, 0, 0, 0], [8, 8, 8, 8, 8, 8]))).toBeCloseTo(1, 12);
  expect(promptCorrelation(paired([2, 2, 2, 2, 2], [8, 8, 8, 8, 8]))).toBe(0);
  expect(promptCorrelation(paired([1, 0, 1, 0, 1], [1, 1, 1, 1, 1]))).toBeUndefined();
  expect(promptCorrelation(paired([0, 0, 0, 0, 0], [8, 8, 8, 8, 8]))).toBeUndefined();
});

test('there is no interval under 5 prompts with runs, or under the smallest sum', () => {
  const five = paired([1, 2, 0, 3, 1], [4, 4, 4, 4, 4]);
  expect(promptInterval(five)).toBeDefined();
  expect(promptInterval(five.slice(1))).toBeUndefined();
  expect(promptInterval([...five.slice(1), { part: 0, whole: 0 }])).toBeUndefined();
  expect(promptInterval(five, { wholeMin: 21 })).toBeUndefined();
  expect(promptInterval(five, { wholeMin: 20 })).toBeDefined();
});

const after = paired([5, 6, 3, 8, 2, 7, 4, 6, 5, 3, 0], [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 4]);
const before = paired([3, 5, 2, 6, 2, 4, 4, 5, 2, 1, 0], [8, 8, 8, 8, 8, 8, 8, 8, 8, 5, 0]);

test('the verdict and what is detectable have the values that SciPy gives', () => {
  const ten = compareRatios(pairs().slice(0, 10));
  expect(ten.change).toBeCloseTo(0.1709415584415585, 12);
  expect(ten.detectable).toBeCloseTo(0.13361675185005967, 10);
  expect(ten.chance).toBeCloseTo(0.003260946856366101, 10);
  expect(ten.verdict).toBe('up');
  const eleven = compareRatios(pairs());
  expect(eleven.change).toBeCloseTo(0.14177489177489183, 12);
  expect(eleven.chance).toBeCloseTo(0.019431539213592745, 10);
});

test('under 10 prompts, or without any variance, a change has no verdict', () => {
  expect(compareRatios(pairs().slice(0, 9))).toMatchObject({ verdict: 'too_few' });
  expect(compareRatios(pairs().slice(0, 9)).change).toBeCloseTo(13 / 72, 12);
  const same = Array.from({ length: 30 }, () => ({
    before: { part: 1, whole: 2 },
    after: { part: 2, whole: 4 },
  }));
  expect(compareRatios(same)).toMatchObject({ change: 0, verdict: 'too_few' });
  const gone = same.map((one) => ({ ...one, after: { part: 0, whole: 0 } }));
  expect(compareRatios(gone)).toMatchObject({ change: undefined, verdict: 'too_few' });
});

test('exchanging the periods turns the verdict round and nothing else', () => {
  const proportion = fc
    .tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }))
    .map(([part, rest]) => ({ part, whole: part + rest }));
  const turned = { up: 'down', down: 'up' } as const;
  const pair = fc.record({ before: proportion, after: proportion });
  fc.assert(
    fc.property(fc.array(pair, { minLength: 10, maxLength: 40 }), (list) => {
      const [one, other] = [list, list.map((each) => ({ before: each.after, after: each.before }))];
      const [forth, back] = [compareRatios(one), compareRatios(other)];
      const { verdict } = forth;
      const expected = verdict === 'up' || verdict === 'down' ? turned[verdict] : verdict;
      expect(back.verdict).toBe(expected);
      expect(back.chance ?? 0).toBeCloseTo(forth.chance ?? 0, 12);
    }),
  );
});

test("one prompt alone is judged by Fisher's exact test over its runs", () => {
  const [none, many] = [
    { part: 0, whole: 20 },
    { part: 9, whole: 20 },
  ];
  expect(compareAlone({ before: none, after: many })).toMatchObject({
    change: 0.45,
    verdict: 'up',
  });
  expect(compareAlone({ before: many, after: none }).verdict).toBe('down');
  const few = { part: 1, whole: 20 };
  expect(compareAlone({ before: none, after: few }).verdict).toBe('within_chance');
  const nothing = { part: 0, whole: 0 };
  expect(compareAlone({ before: nothing, after: few }).verdict).toBe('too_few');
});

test('a list of movers keeps false discoveries at 10 %', () => {
  // SciPy's adjusted values: 0.006, 0.0525, 0.0525, 0.0525, 0.24, 0.9.
  const chances = [0.9, 0.02, 0.001, 0.035, undefined, 0.2, 0.03];
  const movers = chances.map((chance) => ({
    change: 0.1,
    detectable: undefined,
    chance,
    verdict: chance === undefined ? ('too_few' as const) : ('within_chance' as const),
  }));
  expect(controlFalseDiscoveries(movers).map(({ verdict }) => verdict)).toEqual([
    'within_chance',
    'up',
    'up',
    'up',
    'too_few',
    'within_chance',
    'up',
  ]);
});

function paired(parts: readonly number[], wholes: readonly number[]) {
  return parts.map((part, index) => ({ part, whole: wholes[index] ?? 0 }));
}

function pairs() {
  return after.map((one, index) => ({
    before: before[index] ?? { part: 0, whole: 0 },
    after: one,
  }));
}
