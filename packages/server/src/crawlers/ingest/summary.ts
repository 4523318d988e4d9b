import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { HitRow } from '@overheard/contract';
import type { DataTables } from '../../storage/schema.ts';
import type { Hit } from '../hits/hit.ts';
import { readEvidence, readHeaders } from '../hits/hit.ts';
import type { SkipReason } from '../log-line.ts';

/** Stored hits of one bot in the time that was read. */
export interface BotCount {
  readonly bot: string;
  readonly company: string;
  readonly category: HitRow['category'];
  readonly verified: number;
  readonly spoofed: number;
  readonly unverified: number;
}

/** Hits in whose place the log has a proxy. */
export interface ProxyNote {
  /** The list that has the addresses, or null if a header names other clients. */
  readonly list: string | null;
  readonly hits: number;
  /** One of the addresses. */
  readonly address: string;
}

/** What an ingest has read. `lines` is the sum of the four that follow. */
export interface IngestSummary {
  readonly lines: number;
  readonly hitsNew: number;
  readonly hitsKnown: number;
  readonly otherTraffic: number;
  readonly skipped: number;
  /** What the database holds of the time from the first hit read to the last one. */
  readonly bots: readonly BotCount[];
  readonly skips: ReadonlyArray<{
    readonly reason: SkipReason;
    readonly lines: number;
    /** The beginning of the first such line, made printable. */
    readonly example: string;
  }>;
  readonly proxies: readonly ProxyNote[];
}

export interface Tally {
  other(): void;
  skip(reason: SkipReason, example: string): void;
  /** Hits of lines have been written, some of which were not stored before. */
  wrote(hits: readonly Hit[], added: number): void;
  readonly lines: number;
  readonly hitsNew: number;
  /** The summary, with the verdicts that the database holds. */
  summarise(db: Kysely<DataTables>, workspaceId: string): Promise<IngestSummary>;
}

const exampleLength = 160;

/** Counts what an ingest reads. */
export function createTally(): Tally {
  const counts = { lines: 0, hitsNew: 0, hitsKnown: 0, otherTraffic: 0 };
  const skips = new Map<SkipReason, { lines: number; example: string }>();
  const proxies = new Map<string, ProxyNote>();
  let from: string | undefined;
  let to = '';
  return {
    other,
    skip,
    wrote,
    get lines() {
      return counts.lines;
    },
    get hitsNew() {
      return counts.hitsNew;
    },
    summarise,
  };

  function other(): void {
    counts.lines++;
    counts.otherTraffic++;
  }

  function skip(reason: SkipReason, example: string): void {
    counts.lines++;
    const known = skips.get(reason);
    if (known !== undefined) known.lines++;
    else skips.set(reason, { lines: 1, example: printable(example) });
  }

  function wrote(hits: readonly Hit[], added: number): void {
    counts.lines += hits.length;
    counts.hitsNew += added;
    counts.hitsKnown += hits.length - added;
    for (const hit of hits) {
      if (from === undefined || hit.hit_at < from) from = hit.hit_at;
      if (hit.hit_at > to) to = hit.hit_at;
      if (hit.address_group === null) noteProxy(hit);
    }
  }

  /** An address that is no client's has no group. */
  function noteProxy({ address, evidence, signature }: Hit): void {
    if (address === null) return;
    const list = readEvidence(evidence)?.shown.list ?? null;
    const { forwarded, isProxy } = readHeaders(signature);
    if (list === null && forwarded === undefined && isProxy === undefined) return;
    const known = proxies.get(list ?? '');
    proxies.set(list ?? '', {
      list,
      address: known?.address ?? address,
      hits: (known?.hits ?? 0) + 1,
    });
  }

  async function summarise(db: Kysely<DataTables>, workspaceId: string): Promise<IngestSummary> {
    const { lines, hitsNew, hitsKnown, otherTraffic } = counts;
    return {
      ...counts,
      skipped: lines - hitsNew - hitsKnown - otherTraffic,
      bots: from === undefined ? [] : await countBots(db, workspaceId, { from, to }),
      skips: [...skips].map(([reason, count]) => ({ reason, ...count })),
      proxies: [...proxies.values()],
    };
  }
}

async function countBots(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to }: { from: string; to: string },
): Promise<readonly BotCount[]> {
  const count = (verification: HitRow['verification']) =>
    sql<number>`cast(sum(case when verification = ${verification} then 1 else 0 end) as integer)`;
  const bots = await db
    .selectFrom('hits')
    .select(['bot_name as bot', 'bot_company as company', 'category'])
    .select([
      count('verified').as('verified'),
      count('spoofed').as('spoofed'),
      count('unverified').as('unverified'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('hit_at', '>=', from)
    .where('hit_at', '<=', to)
    .where('evidence', 'is not', null)
    .groupBy(['bot_name', 'bot_company', 'category'])
    .execute();
  return bots.toSorted(
    (left, right) => total(right) - total(left) || (left.bot < right.bot ? -1 : 1),
  );
}

function total({ verified, spoofed, unverified }: BotCount): number {
  return verified + spoofed + unverified;
}

/** The beginning of a line, without what a terminal would act on. */
function printable(text: string): string {
  const line = text
    .slice(0, 4 * exampleLength)
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd');
  return line.length > exampleLength ? `${line.slice(0, exampleLength - 1)}…` : line;
}
