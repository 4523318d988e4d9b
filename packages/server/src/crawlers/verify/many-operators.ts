import type { Verdict } from './verdict.ts';
import { spoofed, unverified } from './verdict.ts';

/** A claim of one address, with its verdict by itself. */
export interface NeighbourClaim {
  readonly id: string;
  readonly operator: string;
  readonly atMs: number;
  readonly own: Verdict;
  /** Whether most of the log comes from the address. */
  readonly isProxied?: boolean;
}

/** Nobody is so many operators within ten minutes. */
export const windowMs = 600_000;
export const operatorsMin = 3;

/** Of addresses that are no client's on the internet nothing is concluded. */
const exempt = new Set(['no_ip', 'private_ip', 'proxy_ip']);

/**
 * Judges the claims of one address together: nobody is three operators within ten minutes. Every
 * claim in such a stretch of time is spoofed, but for those that are verified by themselves. Of a
 * proxy's address nothing is concluded. Returns the verdict of each claim, in the order given. What
 * comes out depends on the claims alone, not on the order in which they became known.
 */
export function judgeTogether(claims: readonly NeighbourClaim[]): Verdict[] {
  const sorted = claims
    .filter(({ own, isProxied = false }) => !isProxied && !exempt.has(own.evidence.reason))
    .toSorted((left, right) => left.atMs - right.atMs);
  const overruled = new Set<string>();
  for (const { start, end } of findStretches(sorted)) {
    for (const { id } of sorted.slice(start, end)) overruled.add(id);
  }
  return claims.map(({ id, own, isProxied = false }) => {
    if (isProxied) return throughProxy(own);
    return overruled.has(id) && own.verification === 'unverified'
      ? spoofed({ reason: 'many_operators', own })
      : own;
  });
}

/** What a verdict becomes where the address is a proxy's: proof holds, and nothing is called forged. */
export function throughProxy(own: Verdict): Verdict {
  const { reason } = own.evidence;
  // A token that is never sent is forged whoever passes it on.
  const holds = own.verification === 'verified' || reason === 'never_sent' || exempt.has(reason);
  return holds ? own : unverified({ reason: 'proxy_ip', own });
}

/** The windows with too many operators, those that overlap as one. `end` is past the last claim. */
function findStretches(
  sorted: readonly NeighbourClaim[],
): ReadonlyArray<{ readonly start: number; readonly end: number }> {
  const stretches: Array<{ start: number; end: number }> = [];
  const counts = new Map<string, number>();
  let end = 0;
  for (const [start, first] of sorted.entries()) {
    for (let next = sorted[end]; next !== undefined; next = sorted[++end]) {
      if (next.atMs - first.atMs > windowMs) break;
      counts.set(next.operator, (counts.get(next.operator) ?? 0) + 1);
    }
    if (counts.size >= operatorsMin) {
      const last = stretches.at(-1);
      if (last !== undefined && start < last.end) last.end = end;
      else stretches.push({ start, end });
    }
    const left = (counts.get(first.operator) ?? 1) - 1;
    if (left === 0) counts.delete(first.operator);
    else counts.set(first.operator, left);
  }
  return stretches;
}
