import type { Hit, StoredVerdict } from './hit.ts';
import { ownEvidence } from './hit.ts';
import { dayOf } from './identity.ts';
import { siteDay } from './settle-days.ts';
import type { RejudgedHits, SettledDays } from './settle-days.ts';

/** Hits of one bot whose verdict changed for one reason. */
export interface VerdictChange {
  readonly bot: string;
  readonly from: Hit['verification'];
  readonly to: Hit['verification'];
  readonly reason: string;
  readonly hits: number;
}

interface CountedChange extends VerdictChange {
  /** The site and day of an accusation that may be withheld. */
  readonly place: string | undefined;
}

/** Counts how verdicts change while hits are judged again. */
export function createChangeCount() {
  const counts = new Map<string, CountedChange>();
  return { add, list };

  /** Takes a hit as it was, and its own verdict now. */
  function add(before: Hit, { verification: to, evidence }: StoredVerdict): void {
    const { bot_name: bot, verification: from, host, hit_at: at } = before;
    const reason = ownEvidence(evidence)?.reason ?? '';
    const mayBeWithheld = to === 'spoofed' && reason !== 'never_sent';
    const place = mayBeWithheld ? siteDay(dayOf(Date.parse(at)), host) : undefined;
    const change = { bot, from, to, reason, place };
    const key = keyOf(change);
    counts.set(key, { ...change, hits: (counts.get(key)?.hits ?? 0) + 1 });
  }

  /**
   * The most frequent first. Accusations on the site days in `doubtful` are withheld. Other hits may
   * change the verdict of a hit that was judged as before.
   */
  function list({ doubtful, rejudged }: SettledDays): readonly VerdictChange[] {
    const changes = new Map<string, VerdictChange>();
    const rejudgedOthers = rejudged.map((each) => countOthers(each, doubtful.has(each.place)));
    for (const { place, ...count } of [...counts.values(), ...rejudgedOthers]) {
      const change: VerdictChange =
        place !== undefined && doubtful.has(place)
          ? { ...count, to: 'unverified', reason: 'none_verified' }
          : count;
      const { bot, from, to, reason } = change;
      if (from === to || change.hits <= 0) continue;
      const key = [bot, from, to, reason].join(' ');
      changes.set(key, { ...change, hits: (changes.get(key)?.hits ?? 0) + change.hits });
    }
    return [...changes]
      .toSorted(
        ([left, { hits: fewer }], [right, { hits }]) => hits - fewer || (left < right ? -1 : 1),
      )
      .map(([, change]) => change);
  }

  /** Rejudged hits, without those that `add` was given. */
  function countOthers(
    { bot, reason, place, hits }: RejudgedHits,
    isWithheld: boolean,
  ): CountedChange {
    const froms = isWithheld ? (['spoofed'] as const) : (['unverified', 'verified'] as const);
    const change = { bot, from: froms[0], to: 'spoofed', reason, place } as const;
    const added = froms.map((from) => counts.get(keyOf({ ...change, from }))?.hits ?? 0);
    return { ...change, hits: hits - added.reduce((sum, each) => sum + each, 0) };
  }
}

function keyOf({ bot, from, to, reason, place }: Omit<CountedChange, 'hits'>): string {
  return [bot, from, to, reason, place].join('\0');
}
