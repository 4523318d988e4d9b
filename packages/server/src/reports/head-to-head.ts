import type { ShareRow, SubjectRow } from '@overheard/contract';
import { z } from 'zod';
import { countedRuns } from '../storage/counted-runs.ts';
import { endOfDay, startOfDay } from '../values/utc-day.ts';
import { toCompetitors } from './competitors.ts';
import type { CompetitorQuery } from './competitors.ts';
import { readPromptNames } from './known-names.ts';
import { readOwners } from './owners.ts';
import type { OwnedPage } from './owners.ts';
import type { ReportSource } from './report-source.ts';
import { readPeriod } from './shares/shares.ts';
import type { PeriodShares } from './shares/shares.ts';

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
  const period = await readPeriod(source, query);
  const competitor = period.subjects.find(
    ({ id, type }) => id === competitorId && type === 'competitor',
  );
  if (competitor === undefined) return null;
  const isOne = ({ subject_id: id, subject_type: type }: ShareRow) =>
    type === 'brand' || id === competitorId;
  const { subjects, engines } = toCompetitors(period);
  const runs = await readCitingRuns(source, competitorId, query);
  const names = await readPromptNames(source);
  const prompts = toPairs(period, { competitorId, names });
  return {
    competitor,
    subjects: subjects.filter(isOne),
    engines: engines.map((one) => ({ ...one, subjects: one.subjects.filter(isOne) })),
    total: addUp(prompts),
    prompts,
    sites: await countSites(source, runs),
  };
}

/** A counted run that cites the competitor. */
interface CitingRun {
  readonly promptId: string | null;
  readonly hasBrand: boolean;
  /** JSON; null if the answer is not stored. */
  readonly sites: string | null;
}

/** Counts of subjects alone are stored; who is cited together, only these runs know. */
async function readCitingRuns(
  { db, workspaceId }: ReportSource,
  competitorId: string,
  { from, to, engine, locale, withoutCompetitorPrompts }: CompetitorQuery,
): Promise<CitingRun[]> {
  const rows = await countedRuns(db, workspaceId)
    .innerJoin('detections as theirs', (join) =>
      join
        .on('theirs.workspace_id', '=', workspaceId)
        .onRef('theirs.run_id', '=', 'runs.id')
        .on('theirs.subject_type', '=', 'competitor')
        .on('theirs.subject_id', '=', competitorId)
        .on('theirs.cited', '=', true),
    )
    .leftJoin('detections as ours', (join) =>
      join
        .on('ours.workspace_id', '=', workspaceId)
        .onRef('ours.run_id', '=', 'runs.id')
        .on('ours.subject_type', '=', 'brand')
        .on('ours.cited', '=', true),
    )
    .leftJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .where('run_at', '>=', startOfDay(from))
    .where('run_at', '<', endOfDay(to))
    .$if(engine !== undefined, (is) => is.where('engine', '=', engine ?? ''))
    .$if(locale !== undefined, (is) =>
      is
        .innerJoin('prompts', (join) =>
          join
            .on('prompts.workspace_id', '=', workspaceId)
            .onRef('prompts.id', '=', 'runs.prompt_id'),
        )
        .where('prompts.locale', '=', locale ?? ''),
    )
    .$if(withoutCompetitorPrompts, (is) =>
      is.where((or) =>
        or.or([or('names_competitor', 'is', null), or('names_competitor', '=', false)]),
      ),
    )
    .select(['prompt_id', 'ours.id as brand', 'sites'])
    .execute();
  return rows.map((row) => ({
    promptId: row.prompt_id,
    hasBrand: row.brand !== null,
    sites: row.sites,
  }));
}

function toPairs(
  { subjects, groupsBy }: PeriodShares,
  {
    competitorId,
    names,
  }: { competitorId: string; names: Awaited<ReturnType<typeof readPromptNames>> },
): PairedPromptRow[] {
  const brand = subjects.findIndex(({ type }) => type === 'brand');
  const competitor = subjects.findIndex(({ id }) => id === competitorId);
  return [...groupsBy('prompt')]
    .filter(([promptId, { runs }]) => runs > 0 && names.has(promptId))
    .map(([promptId, { runs, totals }]) => {
      const both = totals.withBrand[competitor] ?? 0;
      const onlyBrand = (totals.cited[brand] ?? 0) - both;
      const onlyCompetitor = (totals.cited[competitor] ?? 0) - both;
      const neither = runs - both - onlyBrand - onlyCompetitor;
      const { text = '', locale = '' } = names.get(promptId) ?? {};
      return { promptId, text, locale, runs, both, onlyBrand, onlyCompetitor, neither };
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

async function countSites(
  source: ReportSource,
  citing: readonly CitingRun[],
): Promise<CompetitorSite[]> {
  const counts = new Map<string, { runs: number; gapRuns: number }>();
  for (const { hasBrand, sites } of citing) {
    for (const site of siteList.parse(JSON.parse(sites ?? '[]'))) {
      const count = counts.get(site) ?? { runs: 0, gapRuns: 0 };
      counts.set(site, count);
      count.runs += 1;
      if (!hasBrand) count.gapRuns += 1;
    }
  }
  const ownerOf = await readOwners(source);
  return [...counts]
    .toSorted(([left, { runs }], [right, { runs: more }]) => more - runs || (left < right ? -1 : 1))
    .slice(0, sitesMax)
    .map(([site, count]) => ({ site, owner: ownerOf(`https://${site}/`).owner, ...count }));
}
