/**
 * Simulates how often the intervals of docs/methodology.md cover the truth, and how often a verdict
 * reports a change where there is none. Each prompt has a rate of its own, drawn from a beta
 * distribution around the true one; `likeness` is the correlation of two runs of one prompt.
 */
import { compareRatios } from '../packages/server/src/values/statistics/compare.ts';
import { promptInterval } from '../packages/server/src/values/statistics/estimate.ts';
import { percent, table } from './bench.ts';
import type { Bench } from './bench.ts';
import { createDraws } from './draws.ts';

const rates = [0.02, 0.1, 0.3, 0.5, 0.9];
const likenesses = [0, 0.1, 0.3, 0.6, 0.85];
const draws = 4000;
const { betaOf, binomialOf, wholeBelow } = createDraws(20_261_120);

/** How many runs, or for a share of voice citations, each prompt has. */
const sizes: Readonly<Record<string, () => number>> = {
  '1 run each': () => 1,
  '3 runs each': () => 3,
  '8 runs each': () => 8,
  '24 runs each': () => 24,
  '1 to 24 runs': () => 1 + wholeBelow(24),
  '0 to 40 citations': () => wholeBelow(41),
};

export const bench: Bench = {
  title: 'Intervals and verdicts, simulated',
  about: ({ scaled }) =>
    `${scaled(draws).toLocaleString('en-US')} draws for each rate (${rates.map((rate) => percent(rate)).join(', ')}) and each correlation of two runs of one prompt (${likenesses.join(', ')}). An interval should cover the truth in 95 % of draws; a verdict should report a change in at most 5 % where there is none.`,
  async measure({ scaled, add }) {
    const head =
      'prompts|each prompt|lowest coverage|at rate|and correlation|highest coverage|most false verdicts';
    const rows = [5, 10, 20, 40, 100].flatMap((prompts) =>
      Object.entries(sizes).map(([words, sizeOf]) => [
        String(prompts),
        words,
        ...worst({ prompts, sizeOf, draws: scaled(draws) }),
      ]),
    );
    add(table(head.split('|'), rows));
  },
};

interface Sample {
  readonly prompts: number;
  readonly sizeOf: () => number;
  readonly draws: number;
}

function worst(sample: Sample): string[] {
  const cells = rates.flatMap((rate) => likenesses.map((likeness) => ({ rate, likeness })));
  const covered = cells
    .map((cell) => ({ ...cell, share: coverage(sample, cell) }))
    .toSorted((left, right) => left.share - right.share);
  const [lowest, highest] = [covered[0], covered.at(-1)];
  const verdicts = () => Math.max(...cells.map((cell) => falseVerdicts(sample, cell)));
  return [
    percent(lowest?.share ?? 0, 1),
    percent(lowest?.rate ?? 0),
    String(lowest?.likeness),
    percent(highest?.share ?? 0, 1),
    sample.prompts < 10 ? 'no verdict' : percent(verdicts(), 1),
  ];
}

interface Cell {
  readonly rate: number;
  readonly likeness: number;
}

/** Of the draws that have an interval, how many it covers. */
function coverage(sample: Sample, { rate, likeness }: Cell): number {
  return shareOf(sample.draws, () => {
    const sums = Array.from({ length: sample.prompts }, () => {
      const whole = sample.sizeOf();
      return { part: binomialOf(whole, betaOf(rate, likeness)), whole };
    });
    const interval = promptInterval(sums);
    return interval === undefined ? undefined : interval.low <= rate && rate <= interval.high;
  });
}

/** Each prompt has the same rate in both periods: every reported change is false. */
function falseVerdicts(sample: Sample, { rate, likeness }: Cell): number {
  return shareOf(sample.draws, () => {
    const pairs = Array.from({ length: sample.prompts }, () => {
      const own = betaOf(rate, likeness);
      const sums = () => {
        const whole = sample.sizeOf();
        return { part: binomialOf(whole, own), whole };
      };
      return { before: sums(), after: sums() };
    });
    return ['up', 'down'].includes(compareRatios(pairs).verdict);
  });
}

function shareOf(count: number, isSo: () => boolean | undefined): number {
  const results = Array.from({ length: count }, isSo).filter((result) => result !== undefined);
  return results.filter(Boolean).length / results.length;
}
