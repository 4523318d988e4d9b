import type { ShareRow, SubjectRow } from '@overheard/contract';
import { z } from 'zod';
import { countedRuns } from '../storage/counted-runs.ts';
import { endOfDay, startOfDay } from '../values/utc-day.ts';
import { readCompetitors } from './competitors.ts';
import type { CompetitorQuery } from './competitors.ts';
import { readPromptNames } from './known-names.ts';
import { readOwners } from './owners.ts';
import type { OwnedPage } from './owners.ts';
import type { ReportSource } from './report-source.ts';
import { readSubjectRows } from './subjects.ts';

/** Counted runs by who of the two is cited. */
export interface PairCount {
  readonly runs: number;
  readonly both: number;
  readonly onlyBrand: number;
  readonly onlyCompetitor: number;
  readonly neither: number;
}

/** The runs of one prompt. */
export interface PairedPromptRow extends PairCount {
  readonly promptId: string;
  readonly text: string;
  readonly locale: string;
}

/** A site that answers cite beside the competitor. */
export interface CompetitorSite {
  readonly site: string;
  readonly owner: OwnedPage['owner'];
  /** Runs that cite the competitor and the site, and those of them that don't cite the brand. */
  readonly runs: number;
  readonly gapRuns: number;
}

/** The brand beside one competitor. */
export interface HeadToHead {
  readonly competitor: SubjectRow;
  /** The figures of the two, the brand first, on all engines and on each. */
  readonly subjects: readonly ShareRow[];
  readonly engines: ReadonlyArray<{ readonly engine: string; readonly subjects: ShareRow[] }>;
  readonly total: PairCount;
  /** First those with most runs that cite the competitor alone. */
  readonly prompts: readonly PairedPromptRow[];
  /** Most cited first. */
  readonly sites: readonly CompetitorSite[];
}

const sitesMax = 100;
const siteList = z.array(z.string());

/** Compares the brand with one competitor, run by run. Undefined if the workspace has no such competitor. */
export async function readHeadToHead(
  source: ReportSource,
  { competitorId, ...query }: CompetitorQuery & { readonly competitorId: string },
): Promise<HeadToHead | null> {
  const all = await readSubjectRows(source);
  const competitor = all.find(({ id, type }) => id === competitorId && type === 'competitor');
  if (competitor === undefined) return null;
  const isOne = ({ subject_id: id, subject_type: type }: ShareRow) =>
    type === 'brand' || id === competitorId;
  const { subjects, engines } = await readCompetitors(source, query);
  const prompts = await readPairs(source, competitorId, query);
  return {
    competitor,
    subjects: subjects.filter(isOne),
    engines: engines.map((one) => ({ ...one, subjects: one.subjects.filter(isOne) })),
    total: addUp(prompts),
    prompts,
    sites: await readSites(source, competitorId, query),
  };
}

/** The counted runs of the query, with who of the two each of them cites. */
function judgedRuns(
  { db, workspaceId }: ReportSource,
  competitorId: string,
  { from, to, engine, locale, withoutCompetitorPrompts }: CompetitorQuery,
) {
  return countedRuns(db, workspaceId)
    .innerJoin('prompts', (join) =>
      join.on('prompts.workspace_id', '=', workspaceId).onRef('prompts.id', '=', 'runs.prompt_id'),
    )
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .$if(engine !== undefined, (is) => is.where('engine', '=', engine ?? ''))
    .$if(locale !== undefined, (is) => is.where('prompts.locale', '=', locale ?? ''))
    .$if(withoutCompetitorPrompts, (is) =>
      is.where((or) =>
        or.or([or('names_competitor', 'is', null), or('names_competitor', '=', false)]),
      ),
    )
    .select(({ exists, selectFrom }) => {
      const cited = selectFrom('detections')
        .select('detections.id')
        .where('detections.workspace_id', '=', workspaceId)
        .whereRef('detections.run_id', '=', 'runs.id')
        .where('cited', '=', true);
      return [
        'runs.id as run_id',
        'prompts.id as prompt_id',
        exists(cited.where('subject_type', '=', 'brand')).as('brand'),
        exists(cited.where('subject_id', '=', competitorId)).as('competitor'),
      ];
    });
}

async function readPairs(
  source: ReportSource,
  competitorId: string,
  query: CompetitorQuery,
): Promise<PairedPromptRow[]> {
  const rows = await source.db
    .selectFrom(judgedRuns(source, competitorId, query).as('judged'))
    .select(['prompt_id', 'brand', 'competitor', ({ fn }) => fn.countAll<number>().as('runs')])
    .groupBy(['prompt_id', 'brand', 'competitor'])
    .execute();
  const names = await readPromptNames(source);
  return [...Map.groupBy(rows, (row) => row.prompt_id)]
    .map(([promptId, cells]) => {
      const count = (hasBrand: boolean, hasCompetitor: boolean) =>
        cells.find(
          ({ brand, competitor }) =>
            Boolean(brand) === hasBrand && Boolean(competitor) === hasCompetitor,
        )?.runs ?? 0;
      const pairs = {
        both: count(true, true),
        onlyBrand: count(true, false),
        onlyCompetitor: count(false, true),
        neither: count(false, false),
      };
      const runs = cells.reduce((sum, cell) => sum + cell.runs, 0);
      const { text = '', locale = '' } = names.get(promptId) ?? {};
      return { promptId, text, locale, runs, ...pairs };
    })
    .toSorted(
      (left, right) =>
        right.onlyCompetitor - left.onlyCompetitor ||
        right.runs - left.runs ||
        (left.promptId < right.promptId ? -1 : 1),
    );
}

function addUp(prompts: readonly PairCount[]): PairCount {
  const sum = (name: keyof PairCount) => prompts.reduce((total, one) => total + one[name], 0);
  return {
    runs: sum('runs'),
    both: sum('both'),
    onlyBrand: sum('onlyBrand'),
    onlyCompetitor: sum('onlyCompetitor'),
    neither: sum('neither'),
  };
}

async function readSites(
  source: ReportSource,
  competitorId: string,
  query: CompetitorQuery,
): Promise<CompetitorSite[]> {
  const { db, workspaceId } = source;
  const rows = await db
    .selectFrom(judgedRuns(source, competitorId, query).as('judged'))
    .innerJoin('answers', (join) =>
      join
        .on('answers.workspace_id', '=', workspaceId)
        .onRef('answers.run_id', '=', 'judged.run_id'),
    )
    .where('competitor', '=', true)
    .select(['brand', 'sites'])
    .execute();
  const counts = new Map<string, { runs: number; gapRuns: number }>();
  for (const { brand, sites } of rows) {
    for (const site of siteList.parse(JSON.parse(sites))) {
      const count = counts.get(site) ?? { runs: 0, gapRuns: 0 };
      counts.set(site, count);
      count.runs += 1;
      if (!brand) count.gapRuns += 1;
    }
  }
  const ownerOf = await readOwners(source);
  return [...counts]
    .toSorted(([left, { runs }], [right, { runs: more }]) => more - runs || (left < right ? -1 : 1))
    .slice(0, sitesMax)
    .map(([site, count]) => ({ site, owner: ownerOf(`https://${site}/`).owner, ...count }));
}
