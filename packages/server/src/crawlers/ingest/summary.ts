import type { HitRow } from '@overheard/contract';
import type { SkipReason } from '../log-line.ts';
import type { GatheredChanges } from './gather-changes.ts';

/** Hits of one bot in the lines read. */
export interface BotCount {
  readonly bot: string;
  readonly company: string;
  readonly category: HitRow['category'];
  readonly verified: number;
  readonly spoofed: number;
  readonly unverified: number;
}

/** What an ingest has read. `lines` is the sum of the four that follow. */
export interface IngestSummary {
  readonly lines: number;
  readonly hitsNew: number;
  readonly hitsKnown: number;
  readonly otherTraffic: number;
  readonly skipped: number;
  readonly bots: readonly BotCount[];
  readonly skips: ReadonlyArray<{
    readonly reason: SkipReason;
    readonly lines: number;
    /** The beginning of the first such line, made printable. */
    readonly example: string;
  }>;
  /**
   * How often a verdict became another of a hit that was read long before: of one that many lines
   * have in doubt more than once.
   */
  readonly judgedAgain: number;
  /** Addresses that most of a log came from: a proxy's, most likely. */
  readonly proxies: readonly string[];
}

type Counted = Pick<HitRow, 'bot_name' | 'bot_company' | 'category' | 'verification'> & {
  readonly id: string;
};

export interface Tally {
  other(): void;
  skip(reason: SkipReason, example: string): void;
  hit(hit: Counted, isNew: boolean): void;
  /** Whether the lines of a hit are remembered, so that a change of its verdict can be counted. */
  remembers(id: string): boolean;
  /** Verdicts have become others, of hits that were counted here or read before. */
  change(changes: GatheredChanges): void;
  /** Most of a log came from an address of this class: from the one with the most hits, it is said. */
  proxy(address: string, addressClass: number): void;
  /** The hits of a batch, and the verdicts that they changed, have been told. */
  endBatch(): void;
  /** More lines have shown that no proxy is in these classes. */
  forgetProxies(isNone: (addressClass: number) => boolean): void;
  readonly lines: number;
  summary(): IngestSummary;
}

const exampleLength = 160;
/**
 * Hits whose lines are remembered at least, besides those of the batch, and few more, so that memory is
 * flat; neighbours stand near each other.
 */
const rememberedMin = 8000;

/** Counts what an ingest reads. */
export function createTally(): Tally {
  let lines = 0;
  let hitsNew = 0;
  let hitsKnown = 0;
  let otherTraffic = 0;
  const bots = new Map<
    string,
    Omit<BotCount, HitRow['verification']> & Record<HitRow['verification'], number>
  >();
  const skips = new Map<SkipReason, { lines: number; example: string }>();
  const proxies = new Map<number, Map<string, number>>();
  /** Lines of each hit: those met of late, with all of a batch, and those met before. */
  let linesOf = new Map<string, number>();
  let linesBefore = linesOf;
  let judgedAgain = 0;
  return {
    other,
    skip,
    hit,
    remembers,
    change,
    proxy,
    endBatch,
    forgetProxies,
    get lines() {
      return lines;
    },
    summary,
  };

  function other(): void {
    lines++;
    otherTraffic++;
  }

  function skip(reason: SkipReason, example: string): void {
    lines++;
    const known = skips.get(reason) ?? { lines: 0, example: printable(example) };
    known.lines++;
    skips.set(reason, known);
  }

  function hit(counted: Counted, isNew: boolean): void {
    lines++;
    if (isNew) hitsNew++;
    else hitsKnown++;
    countOf(counted)[counted.verification]++;
    linesOf.set(counted.id, linesRemembered(counted.id) + 1);
  }

  function endBatch(): void {
    if (linesOf.size < rememberedMin) return;
    linesBefore = linesOf;
    linesOf = new Map();
  }

  function linesRemembered(id: string): number {
    return linesOf.get(id) ?? linesBefore.get(id) ?? 0;
  }

  function change({ remembered, others }: GatheredChanges): void {
    judgedAgain += others;
    for (const { row, verification } of remembered) {
      const count = countOf(row);
      // Another process may have changed it between: its lines stand under the verdict from before.
      const own = Math.min(linesRemembered(row.id), count[row.verification]);
      count[row.verification] -= own;
      count[verification] += own;
    }
  }

  function remembers(id: string): boolean {
    return linesOf.has(id) || linesBefore.has(id);
  }

  function proxy(address: string, addressClass: number): void {
    const hits = proxies.get(addressClass) ?? new Map<string, number>();
    proxies.set(addressClass, hits);
    hits.set(address, (hits.get(address) ?? 0) + 1);
  }

  function forgetProxies(isNone: (addressClass: number) => boolean): void {
    for (const known of proxies.keys()) if (isNone(known)) proxies.delete(known);
  }

  function countOf({ bot_name: bot, bot_company: company, category }: Counted) {
    const count = bots.get(bot) ?? {
      bot,
      company,
      category,
      verified: 0,
      spoofed: 0,
      unverified: 0,
    };
    bots.set(bot, count);
    return count;
  }

  function summary(): IngestSummary {
    const total = (count: BotCount): number => count.verified + count.spoofed + count.unverified;
    return {
      lines,
      hitsNew,
      hitsKnown,
      otherTraffic,
      skipped: lines - hitsNew - hitsKnown - otherTraffic,
      bots: [...bots.values()]
        .filter((count) => total(count) > 0)
        .toSorted((left, right) => total(right) - total(left) || (left.bot < right.bot ? -1 : 1)),
      skips: [...skips].map(([reason, count]) => ({ reason, ...count })),
      judgedAgain,
      proxies: [...proxies.values()].flatMap(busiest),
    };
  }
}

/** The address with the most hits. */
function busiest(hits: ReadonlyMap<string, number>): string[] {
  return [...hits]
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, 1)
    .map(([address]) => address);
}

/** The beginning of a line, without what a terminal would act on. */
function printable(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
  return line.length > exampleLength ? `${line.slice(0, exampleLength - 1)}…` : line;
}
