import type { Share } from './kinds.ts';

/** The three factors of an impact, each of 1. */
export interface Factors {
  /** How much the prompt, or the crawler, matters among all. */
  readonly weight: Share;
  /** How much the brand is missing. */
  readonly absence: Share;
  /** How much others are there. */
  readonly rivalry: Share;
}

/** Expected impact, 0 to 100 with one decimal: 100 x weight x absence x rivalry. */
export function impactOf({ weight, absence, rivalry }: Factors): number {
  const part = weight.part * absence.part * rivalry.part;
  const whole = weight.whole * absence.whole * rivalry.whole;
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

/** High from 60, medium from 30. */
export function priorityOf(impact: number): 'high' | 'medium' | 'low' {
  if (impact >= 60) return 'high';
  return impact >= 30 ? 'medium' : 'low';
}
