import { sum, z } from './estimate.ts';
import type { Interval } from './estimate.ts';

/** How far two readers agree beyond chance. */
export interface Agreement extends Interval {
  /** Cohen's kappa: 1 is complete agreement, 0 that of chance. */
  readonly kappa: number;
  /** Its large-sample standard error. */
  readonly error: number;
}

/**
 * Cohen's kappa of two readers' labels of the same items, not rounded, with its 95 % interval, cut at -1
 * and 1. The standard error is that of Fleiss, Cohen and Everitt (Psychological Bulletin 72, 1969,
 * 323-327), for a kappa that is not 0. Undefined without items, or if all labels of both are the same.
 * https://doi.org/10.1037/h0028106
 */
export function cohensKappa(
  items: ReadonlyArray<readonly [one: string, other: string]>,
): Agreement | undefined {
  const cells = [...Map.groupBy(items, (labels) => JSON.stringify(labels)).values()].map(
    (same) => ({ labels: same[0] ?? ['', ''], part: same.length / items.length }),
  );
  const first = partsOf(items.map(([one]) => one));
  const second = partsOf(items.map(([, other]) => other));
  const agreed = sum(cells, ({ labels: [one, other], part }) => (one === other ? part : 0));
  const chance = sum([...first], ([label, part]) => part * (second.get(label) ?? 0));
  if (items.length === 0 || chance > 1 - 1e-12) return undefined;
  const [rest, missed] = [1 - chance, 1 - agreed];
  const spread = sum(cells, ({ labels: [one, other], part }) => {
    // The second reader's part of the first one's label, and the reverse.
    const crossed = (second.get(one) ?? 0) + (first.get(other) ?? 0);
    return one === other ? part * (rest - crossed * missed) ** 2 : part * (missed * crossed) ** 2;
  });
  const variance =
    (spread - (agreed * chance - 2 * chance + agreed) ** 2) / (items.length * rest ** 4);
  const kappa = (agreed - chance) / rest;
  // Complete agreement has the variance 0, which floating point may miss.
  const error = Math.sqrt(Math.max(0, variance));
  // It is no proof of a complete one: the lower end is then that of the agreement (Wilson).
  const least = missed < 1e-12 ? items.length / (items.length + z ** 2) : 1;
  const low = Math.max(-1, Math.min(kappa - z * error, (least - chance) / rest));
  const high = Math.min(1, kappa + z * error);
  return { kappa, error, low, high };
}

function partsOf(labels: readonly string[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(labels, (label) => label);
  return new Map([...groups].map(([label, same]) => [label, same.length / labels.length]));
}
