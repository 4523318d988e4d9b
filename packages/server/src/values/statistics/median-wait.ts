/** How long something took; if it has not happened yet, for how long it has been waited for. */
export interface Wait {
  readonly days: number;
  readonly hasEnded: boolean;
}

export interface MedianWait {
  /** Null if under half have ended, so that nobody can say. */
  readonly median: number | null;
  /** The 95 % interval. `high` is null if the waits so far give no upper end. */
  readonly low: number | null;
  readonly high: number | null;
}

const waitsMin = 10;
const z = 1.96;

/**
 * The median of waits of which some still go on, by Kaplan and Meier, and its 95 % interval, by Brookmeyer
 * and Crowley with log-log limits. All null with fewer than ten waits. In simulations of 10 to 40 waits,
 * a tenth to half of them going on, the interval had the truth in at least 95 % of draws.
 * https://doi.org/10.2307/2530286
 */
export function medianWait(waits: readonly Wait[]): MedianWait {
  const found: { -readonly [Each in keyof MedianWait]: MedianWait[Each] } = {
    median: null,
    low: null,
    high: null,
  };
  if (waits.length < waitsMin) return found;
  let [left, share, variance] = [waits.length, 1, 0];
  const moments = [...Map.groupBy(waits, ({ days }) => days)].toSorted(([a], [b]) => a - b);
  for (const [days, now] of moments) {
    const ended = now.filter(({ hasEnded }) => hasEnded).length;
    if (ended > 0) {
      share *= 1 - ended / left;
      variance += ended / (left * (left - ended));
      const { low, high } = limitsOf(share, variance);
      if (low <= 0.5) found.low ??= days;
      if (share <= 0.5) found.median ??= days;
      if (high < 0.5) found.high ??= days;
    }
    left -= now.length;
  }
  return found;
}

/** The limits of the share that still waits. */
function limitsOf(
  share: number,
  variance: number,
): { readonly low: number; readonly high: number } {
  if (share === 0) return { low: 0, high: 0 };
  const half = (z * Math.sqrt(variance)) / Math.abs(Math.log(share));
  const limit = (sign: number) => share ** Math.exp(sign * half);
  return { low: limit(1), high: limit(-1) };
}
