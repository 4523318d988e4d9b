import type { Hit } from './hit.ts';

/** Hits of one bot whose verdict changed for one reason. */
export interface VerdictChange {
  readonly bot: string;
  readonly from: Hit['verification'];
  readonly to: Hit['verification'];
  readonly reason: string;
  /** The reason before, if the site's hits or visitors changed the verdict. */
  readonly before?: string;
  readonly hits: number;
}

type Counted = Omit<VerdictChange, 'hits' | 'before'>;

/** Counts how verdicts change while hits are judged again. */
export function createChangeCount() {
  const counts = new Map<string, VerdictChange>();
  return { add, list };

  function add(change: VerdictChange): void {
    const { bot, from, hits, before = '' } = change;
    // An accusation of a verified hit waited until its day was settled.
    const withheld = { bot, from: 'verified', to: from, reason: before } as const;
    const moved = Math.min(hitsOf(withheld), hits);
    move(withheld, -moved);
    move({ ...change, from: 'verified' }, moved);
    move(change, hits - moved);
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

  function move(change: Counted, hits: number): void {
    const { bot, from, to, reason } = change;
    counts.set(keyOf(change), { bot, from, to, reason, hits: hitsOf(change) + hits });
  }

  function hitsOf(change: Counted): number {
    return counts.get(keyOf(change))?.hits ?? 0;
  }
}

function keyOf({ bot, from, to, reason }: Counted): string {
  return [bot, from, to, reason].join(' ');
}
