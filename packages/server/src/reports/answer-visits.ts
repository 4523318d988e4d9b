import { sql } from 'kysely';
import { addressesOf, readLinkingRuns } from '../storage/counts/linked-pages.ts';
import type { LinkingRun } from '../storage/counts/linked-pages.ts';
import { isReadPage, ownPage } from '../storage/counts/own-pages.ts';
import { periodHits } from '../storage/queries/period-hits.ts';
import { utcDay } from '../values/time/utc-day.ts';
import { engineOfCompany, readerOf } from './engine-access/bot-days.ts';
import type { ReportSource } from './report-source.ts';
import type { Period } from './shares/windows.ts';

/** A fetch for a person counts as made for an answer if it is at most so far from it, on either side. */
const nearMs = 5 * 60_000;
/** And if nothing else of the engine fetched the page so long before and after the answer. */
const quietMs = 60 * 60_000;

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

const none: AnswerVisits = { fetches: 0, people: 0, proofs: 0, last_proof: null };

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
      ...none,
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
  const proofs = new Map<string, AnswerFetch[]>();
  const days = new Set(
    [...fetches.values()]
      .flat()
      .flatMap(({ fetched_at: at }) => [-nearMs, nearMs].map((ms) => utcDay(Date.parse(at) + ms))),
  );
  for (const date of [...days].toSorted()) {
    if (date < from || date > to) continue;
    for (const run of await readLinkingRuns(db, workspaceId, { date })) {
      for (const [key, proof] of proofsOf(run, { isOwn, fetches })) {
        proofs.set(key, [...(proofs.get(key) ?? []), proof]);
      }
    }
  }
  return proofs;
}

/** The cited pages of an answer that its engine fetched for it. */
function proofsOf(
  run: LinkingRun,
  { isOwn, fetches }: Pick<Query, 'isOwn'> & { fetches: ReadonlyMap<string, readonly Fetch[]> },
): ReadonlyArray<readonly [key: string, AnswerFetch]> {
  const pages = new Set(addressesOf(run).flatMap((address) => ownPage(address, isOwn) ?? []));
  return [...pages].flatMap((page) => {
    const key = keyOf(readerOf(run.engine), page);
    const fetched = fetchFor(run.run_at, fetches.get(key) ?? []);
    return fetched === undefined
      ? []
      : [[key, { run_id: run.id, run_at: run.run_at, ...fetched }] as const];
  });
}

/** The first fetch near a moment, if none of the hour around it is farther away. */
function fetchFor(at: string, fetches: readonly Fetch[]): Fetch | undefined {
  const distance = ({ fetched_at: fetched }: Fetch) =>
    Math.abs(Date.parse(fetched) - Date.parse(at));
  const around = fetches.filter((fetch) => distance(fetch) <= quietMs);
  return around.every((fetch) => distance(fetch) <= nearMs) ? around[0] : undefined;
}

function keyOf(engine: string, page: string): string {
  return `${engine} ${page}`;
}
