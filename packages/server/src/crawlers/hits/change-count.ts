import type { Hit } from './hit.ts';

/** Hits of one bot whose verdict changed for one reason. */
export interface VerdictChange {
  readonly bot: string;
  readonly from: Hit['verification'];
  readonly to: Hit['verification'];
  readonly reason: string;
  readonly hits: number;
}

/** Counts how verdicts change while hits are judged again. */
export function createChangeCount() {
  const counts = new Map<string, VerdictChange>();
  return { add, list };

  function add(change: VerdictChange): void {
    const { bot, from, to, hits } = change;
    // An accusation of a verified hit is withheld until its day is settled.
    const withheld = { bot, from: 'verified', to: 'unverified', reason: 'none_verified' } as const;
    const isRestored = from === 'unverified' && to === 'spoofed';
    const accused = isRestored ? Math.min(hitsOf(withheld), hits) : 0;
    move(withheld, -accused);
    move({ ...change, from: 'verified' }, accused);
    move(change, hits - accused);
  }

  /** The most frequent first. */
  function list(): readonly VerdictChange[] {
    return [...counts]
      .filter(([, { from, to, hits }]) => from !== to && hits > 0)
      .toSorted(
        ([left, { hits: fewer }], [right, { hits }]) => hits - fewer || (left < right ? -1 : 1),
      )
      .map(([, change]) => change);
  }

  function move(change: Omit<VerdictChange, 'hits'>, hits: number): void {
    const { bot, from, to, reason } = change;
    counts.set(keyOf(change), { bot, from, to, reason, hits: hitsOf(change) + hits });
  }

  function hitsOf(change: Omit<VerdictChange, 'hits'>): number {
    return counts.get(keyOf(change))?.hits ?? 0;
  }
}

function keyOf({ bot, from, to, reason }: Omit<VerdictChange, 'hits'>): string {
  return [bot, from, to, reason].join(' ');
}
