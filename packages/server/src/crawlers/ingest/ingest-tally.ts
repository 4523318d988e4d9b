import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { HitRow } from '@overheard/contract';
import type { DataTables } from '../../storage/schema.ts';
import { printable } from '../../values/printable.ts';
import type { JudgedHit } from '../hits/write-hits.ts';
import { ownEvidence, readHeaders } from '../hits/hit.ts';
import type { SkipReason } from '../log-line.ts';

/** Hits that have the address of a proxy. */
export interface ProxyNote {
  /** The list that has the addresses, or null if a header names other clients. */
  readonly list: string | null;
  readonly hits: number;
  readonly address: string;
}

/** `lines` is the sum of new hits, known hits, other traffic and skipped lines. */
export interface IngestSummary {
  readonly lines: number;
  readonly hitsNew: number;
  readonly hitsKnown: number;
  readonly otherTraffic: number;
  readonly skipped: number;
  /** New visits of people whom an answer sent. They are among other traffic. */
  readonly referralsNew: number;
  /** What the database holds from the time of the first hit read to the last one. */
  readonly bots: Awaited<ReturnType<typeof countBots>>;
  readonly skips: ReadonlyArray<{
    readonly reason: SkipReason;
    readonly lines: number;
    /** The beginning of the first such line, safe to print. */
    readonly example: string;
  }>;
  readonly proxies: readonly ProxyNote[];
}

export type IngestTally = ReturnType<typeof createIngestTally>;

const exampleLength = 160;

/** Counts what an ingest reads. */
export function createIngestTally() {
  const counts = {
    lines: 0,
    hitsNew: 0,
    hitsKnown: 0,
    otherTraffic: 0,
    skipped: 0,
    referralsNew: 0,
  };
  const skips = new Map<SkipReason, { lines: number; example: string }>();
  const proxies = new Map<string | null, ProxyNote>();
  let from: string | undefined;
  let to = '';
  return {
    other: addOther,
    skip,
    wrote: addWritten,
    addReferrals: (added: number) => void (counts.referralsNew += added),
    get lines() {
      return counts.lines;
    },
    get hitsNew() {
      return counts.hitsNew;
    },
    summarise,
  };

  function addOther(): void {
    counts.lines++;
    counts.otherTraffic++;
  }

  function skip(reason: SkipReason, example: string): void {
    counts.lines++;
    counts.skipped++;
    const counted = skips.get(reason);
    if (counted !== undefined) counted.lines++;
    else {
      const beginning = Buffer.from(example.slice(0, 4 * exampleLength)).toString();
      skips.set(reason, { lines: 1, example: printable(beginning, { lengthMax: exampleLength }) });
    }
  }

  /** Takes the hits that were written, and how many of them are new. */
  function addWritten(hits: readonly JudgedHit[], added: number): void {
    counts.lines += hits.length;
    counts.hitsNew += added;
    counts.hitsKnown += hits.length - added;
    for (const hit of hits) {
      if (from === undefined || hit.hit_at < from) from = hit.hit_at;
      if (hit.hit_at > to) to = hit.hit_at;
      if (hit.address !== null && hit.address_group === null) noteProxy(hit, hit.address);
    }
  }

  function noteProxy({ evidence, signature }: JudgedHit, address: string): void {
    const list = ownEvidence(evidence)?.list ?? null;
    const { forwarded, isProxy } = readHeaders(signature);
    if (list === null && forwarded === undefined && isProxy === undefined) return;
    const note = proxies.get(list) ?? { list, address, hits: 0 };
    proxies.set(list, { ...note, hits: note.hits + 1 });
  }

  async function summarise(db: Kysely<DataTables>, workspaceId: string): Promise<IngestSummary> {
    return {
      ...counts,
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
) {
  const count = (verification: HitRow['verification']) =>
    sql<number>`cast(sum(case when verification = ${verification} then 1 else 0 end) as integer)`;
  return db
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
    .orderBy(({ fn }) => fn.countAll(), 'desc')
    .orderBy('bot_name')
    .execute();
}
