import type { Hit, StoredVerdict } from './hit.ts';
import { ownEvidence } from './hit.ts';
import { dayOf } from './identity.ts';
import { siteDay } from './settle-days.ts';

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
  const counts = new Map<string, VerdictChange & { readonly place: string | undefined }>();
  return { add, list };

  /** Takes a hit as it was, and its own verdict now. */
  function add(before: Hit, { verification: to, evidence }: StoredVerdict): void {
    const { bot_name: bot, verification: from, host, hit_at: at } = before;
    const reason = ownEvidence(evidence)?.reason ?? '';
    const mayBeWithheld = to === 'spoofed' && reason !== 'never_sent';
    const place = mayBeWithheld ? siteDay(dayOf(Date.parse(at)), host) : undefined;
    const key = [bot, from, to, reason, place].join('\0');
    counts.set(key, { bot, from, to, reason, place, hits: (counts.get(key)?.hits ?? 0) + 1 });
  }

  /** The most frequent first. Accusations on the site days in `doubtful` are withheld. */
  function list(doubtful: ReadonlySet<string>): readonly VerdictChange[] {
    const changes = new Map<string, VerdictChange>();
    for (const { place, ...count } of counts.values()) {
      const change: VerdictChange =
        place !== undefined && doubtful.has(place)
          ? { ...count, to: 'unverified', reason: 'none_verified' }
          : count;
      const { bot, from, to, reason } = change;
      if (from === to) continue;
      const key = [bot, from, to, reason].join(' ');
      changes.set(key, { ...change, hits: (changes.get(key)?.hits ?? 0) + change.hits });
    }
    return [...changes]
      .toSorted(
        ([left, { hits: fewer }], [right, { hits }]) => hits - fewer || (left < right ? -1 : 1),
      )
      .map(([, change]) => change);
  }
}
