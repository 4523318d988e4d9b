/**
 * Simulates how often the intervals of docs/methodology.md hold the truth, and how often a verdict
 * calls a change where there is none: `node bench/estimates/run.ts [--write]`. Each prompt has a rate of its
 * own, drawn from a beta distribution around the true one; `likeness` is the correlation of two runs
 * of one prompt. The draws are the same every time.
 */
import {
  compareRatios,
  promptInterval,
} from '../../packages/server/src/values/statistics/estimate.ts';
import { percent, runBench, table } from '../bench.ts';
import { createDraws } from './draws.ts';

const draws = 20_000;
const promptCounts = [5, 10, 20, 40, 100];
const runCounts = [1, 3, 8, 24];
const rates = [0.02, 0.1, 0.3, 0.5, 0.9];
const likenesses = [0, 0.1, 0.3];

interface Cell {
  readonly prompts: number;
  readonly runs: number;
  readonly rate: number;
  readonly likeness: number;
}

const { betaOf, binomialOf } = createDraws(20_261_120);

function coverage({ prompts, runs, rate, likeness }: Cell): number {
  let covered = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const sums = Array.from({ length: prompts }, () => ({
      part: binomialOf(runs, betaOf(rate, likeness)),
      whole: runs,
    }));
    const interval = promptInterval(sums);
    if (interval !== undefined && interval.low <= rate && rate <= interval.high) covered += 1;
  }
  return covered / draws;
}

/** The same prompts, each with the same rate in both periods: every call is a false one. */
function falseVerdicts({ prompts, runs, rate, likeness }: Cell): number {
  let called = 0;
  for (let draw = 0; draw < draws; draw += 1) {
    const pairs = Array.from({ length: prompts }, () => {
      const own = betaOf(rate, likeness);
      return {
        before: { part: binomialOf(runs, own), whole: runs },
        after: { part: binomialOf(runs, own), whole: runs },
      };
    });
    const { verdict } = compareRatios(pairs);
    if (verdict === 'up' || verdict === 'down') called += 1;
  }
  return called / draws;
}

function worst(prompts: number, runs: number): string[] {
  const cells = rates.flatMap((rate) =>
    likenesses.map((likeness) => ({ prompts, runs, rate, likeness })),
  );
  const covered = cells.map((cell) => ({ ...cell, share: coverage(cell) }));
  const rare = covered.filter((cell) => cell.rate < 0.1).map(({ share }) => share);
  const middle = covered.filter((cell) => cell.rate >= 0.1).map(({ share }) => share);
  const called = prompts < 10 ? [] : cells.map(falseVerdicts);
  return [
    String(prompts),
    String(runs),
    `${percent(Math.min(...middle), 1)} to ${percent(Math.max(...middle), 1)}`,
    percent(Math.min(...rare), 1),
    called.length === 0 ? 'no verdict' : percent(Math.max(...called), 1),
  ];
}

const head = [
  'prompts',
  'runs each',
  'coverage, rates from 10 to 90 %',
  'lowest coverage, rate of 2 %',
  'most false verdicts',
];
const about = `${draws.toLocaleString('en')} draws for each rate (${rates.map((rate) => `${rate * 100} %`).join(', ')}) and each likeness of two runs of one prompt (${likenesses.join(', ')}). An interval should cover the truth in 95 % of draws; a verdict should call a change in at most 5 % where there is none.`;
const names = { section: 'estimates', title: 'Intervals and verdicts, simulated', about };
await runBench(names, async ({ add }) => {
  add(
    table(
      head,
      promptCounts.flatMap((prompts) => runCounts.map((runs) => worst(prompts, runs))),
    ),
  );
});
