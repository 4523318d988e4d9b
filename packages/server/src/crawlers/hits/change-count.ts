import type { Hit, StoredVerdict } from './hit.ts';
import { readEvidence } from './hit.ts';

/** Hits of one bot whose verdict went from one to another for one reason. */
export interface VerdictChange {
  readonly bot: string;
  readonly from: Hit['verification'];
  readonly to: Hit['verification'];
  readonly reason: string;
  readonly hits: number;
}

/** Counts how verdicts change while hits are judged again, day by day. */
export interface ChangeCount {
  /** Takes a hit as it was, its own verdict by now, and the one that is written. */
  add(before: Hit, own: StoredVerdict, written: StoredVerdict): void;
  /** Of the day that was counted, accusations on these sites are withheld. */
  endDay(doubtfulSites: ReadonlySet<string>): void;
  /** The most frequent first. */
  list(): readonly VerdictChange[];
}

type Accused = Omit<VerdictChange, 'to'> & { readonly site: string };

export function createChangeCount(): ChangeCount {
  const changes = new Map<string, VerdictChange>();
  const accused = new Map<string, Accused>();
  return { add, endDay, list };

  function add(before: Hit, own: StoredVerdict, written: StoredVerdict): void {
    const { bot_name: bot, verification: from, host } = before;
    const reason = readEvidence(own.evidence)?.shown.reason ?? '';
    if (own.verification !== 'spoofed') {
      return change({ bot, from, to: written.verification, reason, hits: 1 });
    }
    // Whether it stands is known at the end of its day.
    const site = host ?? '';
    const key = [site, bot, from, reason].join('\0');
    const hits = (accused.get(key)?.hits ?? 0) + 1;
    accused.set(key, { site, bot, from, reason, hits });
  }

  function endDay(doubtfulSites: ReadonlySet<string>): void {
    for (const { site, ...count } of accused.values()) {
      const isWithheld = doubtfulSites.has(site) && count.reason !== 'never_sent';
      if (isWithheld) change({ ...count, to: 'unverified', reason: 'none_verified' });
      else change({ ...count, to: 'spoofed' });
    }
    accused.clear();
  }

  function change(count: VerdictChange): void {
    const { bot, from, to, reason } = count;
    if (from === to) return;
    const key = [bot, from, to, reason].join(' ');
    changes.set(key, { ...count, hits: (changes.get(key)?.hits ?? 0) + count.hits });
  }

  function list(): readonly VerdictChange[] {
    return [...changes]
      .toSorted(
        ([left, { hits: fewer }], [right, { hits }]) => hits - fewer || (left < right ? -1 : 1),
      )
      .map(([, count]) => count);
  }
}
