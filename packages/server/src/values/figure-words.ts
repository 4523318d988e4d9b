import type { ShareRow } from '@overheard/contract';
import { amount } from './plural.ts';

/** A figure with its sample size and its interval: `48 % of 315 answers (42 to 54)`. */
export function rateWords({
  rate,
  runs,
  ...row
}: Pick<ShareRow, 'rate' | 'runs' | 'rate_low' | 'rate_high'>): string {
  if (rate === null) return `not measured in ${amount(runs, 'answer')}`;
  return `${percent(rate)} of ${amount(runs, 'answer')} (${interval(row.rate_low, row.rate_high)})`;
}

/** A share of voice with its sample size and its interval: `31 % in 315 answers (27 to 36)`. */
export function sovWords({ sov, runs, ...row }: ShareRow): string {
  if (sov === null) return `not measured in ${amount(runs, 'answer')}`;
  return `${percent(sov)} in ${amount(runs, 'answer')} (${interval(row.sov_low, row.sov_high)})`;
}

/** A change with its verdict, in percentage points: `up by 5`, `within chance (+2)`. */
export function changeWords(change: number | null, verdict: ShareRow['rate_verdict']): string {
  if (verdict === 'not_comparable') return 'not comparable';
  const difference = change === null ? '' : ` (${change < 0 ? '-' : '+'}${points(change)})`;
  if (verdict === 'within_chance') return `within chance${difference}`;
  if (verdict === 'too_few' || change === null) return `too few to compare${difference}`;
  return `${verdict} by ${points(change)}`;
}

/** A ratio in per cent. Only an exact 0 or 1 is shown as 0 % or 100 %. */
export function percent(ratio: number): string {
  const rounded = Math.round(ratio * 100);
  if (rounded === 0 && ratio > 0) return 'under 1 %';
  if (rounded === 100 && ratio < 1) return 'over 99 %';
  return `${rounded} %`;
}

function interval(low: number | null, high: number | null): string {
  if (low === null || high === null) return 'no interval';
  return `${Math.round(low * 100)} to ${Math.round(high * 100)}`;
}

/** A change in percentage points: `+5 points`, `-0.4 points`. */
export function changePoints(change: number): string {
  return `${change < 0 ? '-' : '+'}${pointsWords(change)}`;
}

/** The size of a change in percentage points: `5 points`, `0.4 points`. */
export function pointsWords(change: number): string {
  const size = points(change);
  return `${size} ${size === '1' ? 'point' : 'points'}`;
}

function points(change: number): string {
  const size = Math.abs(change) * 100;
  return size < 1 ? size.toFixed(1) : String(Math.round(size));
}
