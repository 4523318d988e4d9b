import type { ShareRow } from '@overheard/contract';
import { intervalDot } from '../../charts/interval-dot.ts';
import type { Html } from '../../html.ts';
import type { PageView } from '../../view.ts';

/** The runs that a view is over. */
export function runsOf({ period, engine, locale, competitorPrompts }: PageView) {
  const withoutCompetitorPrompts = competitorPrompts === 'exclude';
  return { ...period, engine, locale, withoutCompetitorPrompts };
}

/** The rate of a subject on the scale that all share. */
export function dotOf(row: ShareRow): Html {
  const { rate: value, rate_low: low, rate_high: high, subject_type: type } = row;
  return intervalDot({ value, low, high, isBrand: type === 'brand' });
}
