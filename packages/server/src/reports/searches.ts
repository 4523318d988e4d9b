import { limits } from '@overheard/contract';
import type { SearchRow } from '@overheard/contract';
import { parseStoredQueries } from '../storage/queries/stored-queries.ts';
import { compareCodePoints } from '../values/code-points.ts';
import { foldCase } from '../values/fold-case.ts';
import { amount, plural, thousands } from '../values/plural.ts';
import { parseJson } from '../values/json.ts';
import { addDays } from '../values/time/utc-day.ts';
import { z } from 'zod';
import { selectRuns, spellTag } from './answers.ts';
import type { AnswerQuery } from './answers.ts';
import { selectCitations } from './citations.ts';
import type { ReportSource } from './report-source.ts';
import type { Period } from './shares/windows.ts';

/** The counted runs whose searches to count. */
export type SearchQuery = Period &
  Pick<
    AnswerQuery,
    'engine' | 'surface' | 'locale' | 'promptId' | 'tag' | 'searched' | 'excludesCompetitorPrompts'
  >;

/** What engines searched for, with counts of runs. */
export interface SearchReport {
  /** Counted runs. */
  readonly runs: number;
  /** Of these, runs of which it is known whether the engine searched. */
  readonly known: number;
  /** Of these, runs in which it searched. */
  readonly searched: number;
  /** How many queries there are, which may be more than the rows. */
  readonly queries: number;
  /** Of these, queries without a run that cites the brand. */
  readonly withoutBrand: number;
  readonly rows: readonly SearchRow[];
}

/** Days that one statement reads, because the runs of a year may be many. */
const daysAtOnce = 7;

/** Reads what engines searched for in counted runs, most runs first. */
export async function readSearches(
  source: ReportSource,
  { from, to, ...query }: SearchQuery,
): Promise<SearchReport> {
  const filters = await spellTag(source, query);
  const sums = new Map<string, SearchSum>();
  const count = { runs: 0, known: 0, searched: 0 };
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1);
    const days = { ...filters, from: first, to: last < to ? last : to };
    for (const run of await readRuns(source, days)) {
      count.runs += 1;
      const queries = parseStoredQueries(run.queries);
      if (queries === null) continue;
      count.known += 1;
      if (queries.length === 0) continue;
      count.searched += 1;
      for (const [key, [spelling = '']] of Map.groupBy(queries.map(spellingOf), foldCase)) {
        addRun(sums, key, { run, spelling });
      }
    }
  }
  const rows = [...sums.values()]
    .map(toRow)
    .toSorted(
      (left, right) => right.runs - left.runs || compareCodePoints(left.query, right.query),
    );
  return {
    ...count,
    queries: rows.length,
    withoutBrand: rows.filter(({ brand_runs: runs }) => runs === 0).length,
    rows: rows.slice(0, limits.reportRowsMax),
  };
}

/** Says how many answers came with a search, and how many queries never led to the brand. */
export function searchWords({
  runs,
  known,
  searched,
  queries,
  withoutBrand,
}: Omit<SearchReport, 'rows'>): string {
  if (known === 0) return 'No engine of these answers says what it searched for.';
  const silent = known < runs ? ` (unknown for ${thousands(runs - known)} more)` : '';
  const asked = `Engines searched in ${thousands(searched)} of ${amount(known, 'answer')}${silent}.`;
  if (queries === 0) return asked;
  const all = plural(queries, 'query', 'queries');
  if (withoutBrand === 0) return `${asked} Each of ${all} led to an answer that cites the brand.`;
  return `${asked} ${withoutBrand} of ${all} never led to an answer that cites the brand.`;
}

function readRuns(source: ReportSource, query: Omit<AnswerQuery, 'rowsMax' | 'outcome'>) {
  const competitors = selectCitations(source, undefined, 'competitor');
  return selectRuns(source, { ...query, outcome: 'answered', rowsMax: Infinity })
    .select(['runs.id', 'runs.prompt_id', 'engine', 'run_at', 'queries', 'sites'])
    .select(({ exists }) => [
      exists(selectCitations(source, undefined)).as('cites_brand'),
      exists(competitors).as('cites_competitor'),
    ])
    .where('branded', '=', false)
    .execute();
}

type SearchedRun = Awaited<ReturnType<typeof readRuns>>[number];

interface SearchSum {
  /** The spelling that comes first, so that the order of runs does not matter. */
  query: string;
  readonly engines: Set<string>;
  readonly prompts: Set<string | null>;
  /** Runs by the sites that they cite. */
  readonly sites: Map<string, number>;
  runs: number;
  brand: number;
  competitor: number;
  gap: number;
  first: string;
  last: string;
}

function addRun(
  sums: Map<string, SearchSum>,
  key: string,
  { run, spelling }: { run: SearchedRun; spelling: string },
): void {
  const { engine, prompt_id: prompt, run_at: at } = run;
  const sum: SearchSum = sums.get(key) ?? {
    query: spelling,
    engines: new Set(),
    prompts: new Set(),
    sites: new Map(),
    runs: 0,
    brand: 0,
    competitor: 0,
    gap: 0,
    first: at,
    last: at,
  };
  sums.set(key, sum);
  if (compareCodePoints(spelling, sum.query) < 0) sum.query = spelling;
  if (at < sum.first) sum.first = at;
  if (at > sum.last) sum.last = at;
  sum.engines.add(engine);
  sum.prompts.add(prompt);
  for (const site of storedSites.parse(parseJson(run.sites))) {
    sum.sites.set(site, (sum.sites.get(site) ?? 0) + 1);
  }
  const [brand, competitor] = [Boolean(run.cites_brand), Boolean(run.cites_competitor)];
  sum.runs += 1;
  sum.brand += Number(brand);
  sum.competitor += Number(competitor);
  sum.gap += Number(competitor && !brand);
}

const storedSites = z.array(z.string());

function toRow({ query, engines, prompts, sites, ...sum }: SearchSum): SearchRow {
  const cited = [...sites].toSorted(
    ([left, runs], [right, others]) => others - runs || compareCodePoints(left, right),
  );
  return {
    query,
    engines: [...engines].toSorted(compareCodePoints),
    runs: sum.runs,
    prompts: prompts.size,
    brand_runs: sum.brand,
    competitor_runs: sum.competitor,
    gap_runs: sum.gap,
    sites: cited.slice(0, limits.searchSitesMax).map(([site]) => site),
    first_searched_at: sum.first,
    last_searched_at: sum.last,
  };
}

/** The row for a CSV file, in which the items of a list are separated by spaces. */
export function searchCells({ engines, sites, ...row }: SearchRow) {
  return { ...row, engines: engines.join(' '), sites: sites.join(' ') };
}

function spellingOf(query: string): string {
  return query.trim().replaceAll(/\s+/g, ' ');
}
