import { intervalOf, intervalShape } from './estimate.ts';
import type { Proportion } from './distributions.ts';

/** What a narrower interval needs: more days with the same prompts, or more prompts. */
export type IntervalForecast =
  | { readonly moreDays: number }
  /** Prompts in all, asked for `daysMax` days: with the present ones more days are not enough. */
  | { readonly prompts: number };

const effectiveMax = 10_000;

/**
 * When the 95 % interval of a ratio will be at most `halfWidth` to each side, if answers go on coming at the
 * pace of the first `days`. The correlation between the runs of a prompt is taken as it is now. Undefined if
 * there is no interval yet.
 */
export function forecastInterval(
  prompts: readonly Proportion[],
  { days, halfWidth, daysMax }: { days: number; halfWidth: number; daysMax: number },
): IntervalForecast | undefined {
  const shape = intervalShape(prompts);
  if (shape === undefined) return undefined;
  const { size, correlation, count } = shape;
  const isEnough = (effective: number) => {
    const interval = intervalOf(shape, effective);
    return interval !== undefined && interval.high - interval.low <= 2 * halfWidth;
  };
  // What each prompt is worth after some days, in independent runs.
  const worth = (day: number) => {
    const runs = (size * day) / days;
    return runs / (1 + Math.max(0, runs - 1) * correlation);
  };
  const present = worth(days);
  for (let day = days; day <= Math.max(days, daysMax); day++) {
    if (isEnough((shape.effective * worth(day)) / present)) return { moreDays: day - days };
  }
  let needed = 1;
  while (needed < effectiveMax && !isEnough(needed)) needed++;
  return { prompts: Math.max(count + 1, Math.ceil(needed / worth(daysMax))) };
}
