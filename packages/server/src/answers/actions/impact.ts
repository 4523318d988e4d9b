import type { ActionRow } from '@overheard/contract';
import { wilsonInterval } from '../../values/statistics/estimate.ts';
import type { Proportion } from '../../values/statistics/distributions.ts';

/**
 * What could be won back: a share of answers or requests, its 95 % lower bound as their number, and
 * the worth of one.
 */
export interface Stake {
  readonly share: Proportion;
  readonly low: number;
  readonly worth: number;
}

/** The lower bound of a share as a stake. */
export function stakeOf(share: Proportion, worth = 1): Stake {
  return { share, low: (wilsonInterval(share)?.low ?? 0) * share.whole, worth };
}

/** Impact with its parts, as it is kept with an action. */
export interface Impact {
  readonly from: number;
  readonly band: number;
  /** The lower bound of the stake: runs that could be won, or requests. */
  readonly atStake: number;
  /** This stake gives an impact in the middle of the range. */
  readonly half: number;
}

/** Where impacts begin and how far they reach. The half of answers depends on the window. */
export const ranges = {
  answers: { from: 0, band: 90, half: undefined },
  // Refused requests come first: nothing else works meanwhile. What is read for a corpus shows later.
  refused: { from: 95, band: 5, half: 20 },
  refusedCorpus: { from: 90, band: 5, half: 20 },
  // Low, because it is up to the site whether it is read for training.
  choices: { from: 0, band: 30, half: 20 },
  // Low, because bots also read pages that no answer would cite.
  reads: { from: 0, band: 30, half: 20 },
} as const;

/** `runsUsual` is the mean number of counted runs of a prompt in the window. */
export function impactOf(
  { low, worth }: Stake,
  { range, runsUsual }: { range: keyof typeof ranges; runsUsual: number },
): Impact {
  const { from, band, half = runsUsual / 2 } = ranges[range];
  return { from, band, atStake: Math.round(low * worth * 100) / 100, half };
}

/**
 * Computes an impact from 0 to 100 with 2 decimals. A larger stake always gives a larger impact,
 * which never reaches the end of its range.
 */
export function impactScore({ from, band, atStake, half }: Impact): number {
  const share = atStake <= 0 ? 0 : atStake / (atStake + half);
  return Math.floor(100 * (from + band * Math.min(share, 0.999))) / 100;
}

/** High from 60, medium from 30. */
export function priorityOf(score: number): ActionRow['priority'] {
  if (score >= 60) return 'high';
  return score >= 30 ? 'medium' : 'low';
}

/** An impact for a person; undefined if it is not known. The API, CSV and --json have the number. */
export function impactWord(score: number | null): ActionRow['priority'] | undefined {
  return score === null ? undefined : priorityOf(score);
}
