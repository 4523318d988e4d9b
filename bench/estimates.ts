/**
 * Simulates how often the intervals of docs/methodology.md cover the truth, and how often a verdict
 * reports a change where there is none. Each prompt has a rate of its own, drawn from a beta
 * distribution around the true one; `likeness` is the correlation of two runs of one prompt.
 */
import {
  compareRatios,
  promptInterval,
} from '../packages/server/src/values/statistics/estimate.ts';
import { percent, table } from './bench.ts';
import type { Bench } from './bench.ts';
import { createDraws } from './draws.ts';

const rates = [0.02, 0.1, 0.3, 0.5, 0.9];
const likenesses = [0, 0.1, 0.3];
const { betaOf, binomialOf } = createDraws(20_261_120);

export const bench: Bench = {
  title: 'Intervals and verdicts, simulated',
  about: ({ scaled }) =>
    `${scaled(20_000).toLocaleString('en-US')} draws for each rate (${rates.map((rate) => percent(rate)).join(', ')}) and each likeness of two runs of one prompt (${likenesses.join(', ')}). An interval should cover the truth in 95 % of draws; a verdict should report a change in at most 5 % where there is none.`,
  async measure({ scaled, add }) {
    const head =
      'prompts|runs each|coverage, rates from 10 to 90 %|lowest coverage, rate of 2 %|most false verdicts';
    const rows = [5, 10, 20, 40, 100].flatMap((prompts) =>
      [1, 3, 8, 24].map((runs) => worst({ prompts, runs, draws: scaled(20_000) })),
    );
    add(table(head.split('|'), rows));
  },
};

interface Size {
  readonly prompts: number;
  readonly runs: number;
  readonly draws: number;
}

function worst(size: Size): string[] {
  const { prompts, runs } = size;
  const cells = rates.flatMap((rate) => likenesses.map((likeness) => ({ rate, likeness })));
  const covered = cells.map((cell) => ({ ...cell, share: coverage(size, cell) }));
  const rare = covered.filter(({ rate }) => rate < 0.1).map(({ share }) => share);
  const middle = covered.filter(({ rate }) => rate >= 0.1).map(({ share }) => share);
  const verdicts = () => Math.max(...cells.map((cell) => falseVerdicts(size, cell)));
  return [
    String(prompts),
    String(runs),
    `${percent(Math.min(...middle), 1)} to ${percent(Math.max(...middle), 1)}`,
    percent(Math.min(...rare), 1),
    prompts < 10 ? 'no verdict' : percent(verdicts(), 1),
  ];
}

interface Cell {
  readonly rate: number;
  readonly likeness: number;
}

function coverage({ prompts, runs, draws }: Size, { rate, likeness }: Cell): number {
  return shareOf(draws, () => {
    const sums = Array.from({ length: prompts }, () => ({
      part: binomialOf(runs, betaOf(rate, likeness)),
      whole: runs,
    }));
    const interval = promptInterval(sums);
    return interval !== undefined && interval.low <= rate && rate <= interval.high;
  });
}

/** Each prompt has the same rate in both periods: every reported change is false. */
function falseVerdicts({ prompts, runs, draws }: Size, { rate, likeness }: Cell): number {
  return shareOf(draws, () => {
    const pairs = Array.from({ length: prompts }, () => {
      const own = betaOf(rate, likeness);
      const sums = () => ({ part: binomialOf(runs, own), whole: runs });
      return { before: sums(), after: sums() };
    });
    return ['up', 'down'].includes(compareRatios(pairs).verdict);
  });
}

function shareOf(draws: number, isSo: () => boolean): number {
  return Array.from({ length: draws }, isSo).filter(Boolean).length / draws;
}
