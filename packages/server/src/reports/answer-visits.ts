import { sql } from 'kysely';
import { addressesOf, readLinkingRuns } from '../storage/counts/linked-pages.ts';
import { isReadPage, ownPage } from '../storage/counts/own-pages.ts';
import { periodHits } from '../storage/queries/period-hits.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { engineOfCompany, readerOf } from './engine-access/bot-days.ts';
import type { ReportSource } from './report-source.ts';
import type { Period } from './shares/windows.ts';

/** A fetch for a person counts as made for an answer if it is at most so far from it, on either side. */
const nearMs = 5 * 60_000;
/** Nor may the engine's bots fetch the page at any other moment so long before and after the answer. */
const quietMs = 60 * 60_000;
/**
 * A run at an exact quarter of an hour is one of which only the day or the hour is known: a day alone
 * is stored as its midnight, and all zones differ from UTC by quarters of an hour.
 */
const roundMs = 15 * 60_000;

/** A fetch by an engine's bot while the engine gave an answer that cites the page: the one direct proof. */
export interface AnswerFetch {
  readonly run_id: string;
  readonly run_at: string;
  readonly fetched_at: string;
  readonly bot_name: string;
}

/** What came to a page from an engine's answers. */
export interface AnswerVisits {
  /** Verified requests of the engine's bots that got the page because a person asked. */
  readonly fetches: number;
  /** People who followed a link of an answer, as far as their app says so. */
  readonly people: number;
  /** Answers for which the page was fetched, and the last of them. */
  readonly proofs: number;
  readonly last_proof: AnswerFetch | null;
}

interface Query extends Period {
  readonly isOwn: (address: string, host: string) => boolean;
  /** The host of requests whose log names none; empty if that is unknown. */
  readonly hostUnnamed: string;
}

type Fetch = Pick<AnswerFetch, 'fetched_at' | 'bot_name'>;

/** Reads what came to own pages from answers, by the engine's name and the page. */
export async function readAnswerVisits(
  source: ReportSource,
  query: Query,
): Promise<(engine: string, page: string) => AnswerVisits> {
  const fetches = await readFetches(source, query);
  const people = await readPeople(source, query);
  const proofs = await findProofs(source, query, fetches);
  return (engine, page) => {
    const key = keyOf(engine, page);
    const found = proofs.get(key) ?? [];
    return {
      fetches: fetches.get(key)?.length ?? 0,
      people: people.get(key) ?? 0,
      proofs: found.length,
      last_proof: found.at(-1) ?? null,
    };
  };
}

/** The page of a request's host and path, in normal form; undefined if it is not the brand's. */
export function pageOfHit(host: string, path: string, isOwn: Query['isOwn']): string | undefined {
  if (host === '' || !path.startsWith('/')) return undefined;
  return ownPage(`https://${host}${path}`, isOwn);
}

/** Verified fetches for people, in the order of their moments. */
async function readFetches(
  { db, workspaceId }: ReportSource,
  { from, to, isOwn, hostUnnamed }: Query,
): Promise<Map<string, Fetch[]>> {
  const rows = await periodHits(db, workspaceId, { from, to })
    .select(['host', 'path', 'bot_name', 'bot_company', 'hit_at'])
    .where('verification', '=', 'verified')
    .where('category', '=', 'user')
    .where(isReadPage)
    .orderBy('hit_at')
    .orderBy('id')
    .execute();
  const fetches = new Map<string, Fetch[]>();
  for (const { host, path, bot_name, bot_company: company, hit_at: at } of rows) {
    const page = pageOfHit(host ?? hostUnnamed, path, isOwn);
    if (page === undefined) continue;
    const key = keyOf(engineOfCompany(company), page);
    const ofPage = fetches.get(key) ?? [];
    fetches.set(key, ofPage);
    ofPage.push({ fetched_at: at, bot_name });
  }
  return fetches;
}

async function readPeople(
  { db, workspaceId }: ReportSource,
  { from, to, isOwn, hostUnnamed }: Query,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('referrals')
    .select(['engine', 'host', 'path', sql<number>`cast(count(*) as integer)`.as('people')])
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .groupBy(['engine', 'host', 'path'])
    .execute();
  const people = new Map<string, number>();
  for (const row of rows) {
    const page = pageOfHit(row.host ?? hostUnnamed, row.path, isOwn);
    if (page === undefined) continue;
    const key = keyOf(readerOf(row.engine), page);
    people.set(key, (people.get(key) ?? 0) + row.people);
  }
  return people;
}

/** Answers for which an engine fetched a page, in the order of their moments. */
async function findProofs(
  { db, workspaceId }: ReportSource,
  { from, to, isOwn }: Query,
  fetches: ReadonlyMap<string, readonly Fetch[]>,
): Promise<ReadonlyMap<string, readonly AnswerFetch[]>> {
  const answers = new Map<string, CitingAnswer[]>();
  const days = new Set(
    [...fetches.values()]
      .flat()
      .flatMap(({ fetched_at: at }) => [-nearMs, nearMs].map((ms) => utcDay(Date.parse(at) + ms))),
  );
  for (const date of [...days].toSorted()) {
    if (date < from || date > to) continue;
    for (const run of await readLinkingRuns(db, workspaceId, { date })) {
      if (Date.parse(run.run_at) % roundMs === 0) continue;
      const pages = new Set(addressesOf(run).flatMap((address) => ownPage(address, isOwn) ?? []));
      const keys = [...pages].map((page) => keyOf(readerOf(run.engine), page));
      for (const key of keys.filter((each) => fetches.has(each))) {
        const ofPage = answers.get(key) ?? [];
        answers.set(key, ofPage);
        ofPage.push({ run_id: run.id, run_at: run.run_at });
      }
    }
  }
  return new Map(
    [...answers].map(([key, ofPage]) => [key, proofsOf(ofPage, fetches.get(key) ?? [])]),
  );
}

type CitingAnswer = Pick<AnswerFetch, 'run_id' | 'run_at'>;

/**
 * Gives each fetch of a page to one answer at most, and each answer its first fetch. Both are in the
 * order of their moments, and looked up by them, because a page may have thousands of each.
 */
function proofsOf(answers: readonly CitingAnswer[], fetches: readonly Fetch[]): AnswerFetch[] {
  const fetchMs = fetches.map(({ fetched_at: at }) => Date.parse(at));
  const candidates = answers.filter(({ run_at: at }) => {
    const ms = Date.parse(at);
    const [first, end] = within(fetchMs, ms, quietMs);
    const [firstNear, endNear] = within(fetchMs, ms, nearMs);
    return first === firstNear && end === endNear;
  });
  const answerMs = candidates.map(({ run_at: at }) => Date.parse(at));
  const fetchOf = new Map<CitingAnswer, Fetch>();
  for (const [place, fetch] of fetches.entries()) {
    const ms = fetchMs[place] ?? 0;
    const [first, end] = within(answerMs, ms, nearMs);
    const [, later] = within(answerMs, ms, 0);
    // An engine reads after it is asked, so the last answer before the fetch comes first.
    const nearest = later > first ? later - 1 : first;
    const answer = first < end ? candidates[nearest] : undefined;
    if (answer !== undefined && !fetchOf.has(answer)) fetchOf.set(answer, fetch);
  }
  return candidates.flatMap((answer) => {
    const fetch = fetchOf.get(answer);
    return fetch === undefined ? [] : [{ ...answer, ...fetch }];
  });
}

/** The places of the moments at most so far from another: the first, and the one after the last. */
function within(
  moments: readonly number[],
  ms: number,
  farMs: number,
): [first: number, end: number] {
  return [placeOf(moments, ms - farMs), placeOf(moments, ms + farMs + 1)];
}

/** The place of the first moment that is not before another, by binary search. */
function placeOf(moments: readonly number[], ms: number): number {
  let [low, high] = [0, moments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moments[middle] ?? 0) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keyOf(engine: string, page: string): string {
  return `${engine} ${page}`;
}
