import type { ActionRow } from '@overheard/contract';
import type { Stake } from './kinds.ts';

/** The range of impacts of blocked pages, above every other kind. */
const blockedFrom = { answers: 95, corpus: 90 } as const;
const blockedBand = 5;
/** This many refused requests give an impact in the middle of the range. */
const requestsHalf = 20;
const promptBand = 90;
/** The range is low because bots also read pages that no answer would cite. */
const uncitedBand = 30;

/** Impact with its parts, as it is kept with an action. */
export interface Impact {
  readonly from: number;
  readonly band: number;
  /** The lower bound of the stake: runs that could be won, or refused requests. */
  readonly atStake: number;
  /** This stake gives an impact in the middle of the range. */
  readonly half: number;
}

/**
 * The impact of a gap that is counted in runs. `runsUsual` is the mean number of counted runs of a
 * prompt in the window.
 */
export function runsImpact({ low, worth }: Stake, runsUsual: number): Impact {
  return { from: 0, band: promptBand, atStake: roundStake(low * worth), half: runsUsual / 2 };
}

/**
 * The impact of a page that refuses a bot. Crawlers for a training corpus count less, because their
 * effect comes later and is less certain.
 */
export function blockedImpact({ low }: Stake, { isForCorpus }: { isForCorpus: boolean }): Impact {
  const from = isForCorpus ? blockedFrom.corpus : blockedFrom.answers;
  return { from, band: blockedBand, atStake: roundStake(low), half: requestsHalf };
}

/** The impact of pages that bots read and no answer cites, in requests. */
export function uncitedImpact({ low }: Stake): Impact {
  return { from: 0, band: uncitedBand, atStake: roundStake(low), half: requestsHalf };
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

function roundStake(value: number): number {
  return Math.round(value * 100) / 100;
}
