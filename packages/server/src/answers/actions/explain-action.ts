import type { Kysely } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { explainCitation, readExplainedRuns } from '../scores/explained-runs.ts';
import type { AnyRun, ExplainedRun } from '../scores/explained-runs.ts';
import { readSubjects } from '../subjects.ts';
import { createPageReader, readRunEvidence } from './evidence.ts';
import { isRefused, readBrandPages } from './site-rules.ts';
import { spanOf } from '../../storage/queries/action-parts.ts';
import type { Days, Parts } from '../../storage/queries/action-parts.ts';

/** A request of a verified bot. */
export interface ExplainedRequest {
  readonly hit_at: string;
  readonly status: number | null;
  readonly user_agent: string | null;
}

/** The runs and requests behind an action, as they are stored now. */
export interface ActionEvidence {
  /**
   * Counted runs of the action's window: runs that do not cite the brand first, then the most
   * recent.
   */
  readonly runs: readonly ExplainedRun[];
  /** Counted runs of the window before, if the action compares with it. */
  readonly runs_before: readonly ExplainedRun[];
  /** Requests of verified bots: refused ones first, then the most recent. */
  readonly requests: readonly ExplainedRequest[];
}

/**
 * Reads the evidence that an action was derived from. Runs may have been imported or removed since
 * then.
 */
export async function explainAction(
  db: Kysely<DataTables>,
  workspaceId: string,
  { days, filter }: Parts,
): Promise<ActionEvidence> {
  if (filter.ownPages !== undefined) {
    return explainOwnPages(db, workspaceId, { days, pages: new Set(filter.ownPages) });
  }
  return {
    runs: await readRuns(db, workspaceId, { days, filter }),
    runs_before:
      filter.before === undefined
        ? []
        : await readRuns(db, workspaceId, { days: filter.before, filter }),
    requests: await readRequests(db, workspaceId, { days, filter }),
  };
}

async function readRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { days, filter }: { days: Days; filter: Parts['filter'] },
): Promise<ExplainedRun[]> {
  const { promptIds = [], engines = [], page } = filter;
  if (promptIds.length === 0 || engines.length === 0) return [];
  const all = await readExplainedRuns(db, workspaceId, { ...days, engines, promptIds });
  const counted = all.filter(({ outcome, isBranded }) => outcome === 'answered' && !isBranded);
  const ids =
    page === undefined ? undefined : await readCiting(db, workspaceId, { days, promptIds, page });
  return explainRuns(counted.filter((run) => ids === undefined || ids.has(run.run_id)));
}

/** The latest answers to a prompt in some days, with what they cite, and how many there are. */
export async function readLatestQuotes(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  {
    promptId,
    engine,
    rowsMax,
    ...days
  }: Days & { promptId: string; engine?: string | undefined; rowsMax: number },
): Promise<{ total: number; items: ExplainedRun[] }> {
  const engines = engine === undefined ? undefined : [engine];
  const filter = { ...days, engines, promptIds: [promptId] };
  const all = await readExplainedRuns(db, workspaceId, filter);
  const answered = all.filter(({ outcome }) => outcome === 'answered');
  const latest = explainRuns(answered.slice(-rowsMax));
  return {
    total: answered.length,
    items: latest.toSorted((left, right) => (left.run_at > right.run_at ? -1 : 1)),
  };
}

function explainRuns(runs: readonly AnyRun[]): ExplainedRun[] {
  return runs
    .map(({ outcome: _, isBranded: __, ...run }) => ({
      ...run,
      cited: run.cited.map((citation) => explainCitation(citation)),
    }))
    .toSorted(
      (left, right) =>
        Number(citesBrand(left)) - Number(citesBrand(right)) ||
        (left.run_at > right.run_at ? -1 : 1),
    );
}

/** The ids of the runs that cite a page. */
async function readCiting(
  db: Kysely<DataTables>,
  workspaceId: string,
  { days, promptIds, page }: { days: Days; promptIds: readonly string[]; page: string },
): Promise<ReadonlySet<string>> {
  const reader = createPageReader(await readSubjects(db, workspaceId));
  const ids = new Set<string>();
  for (const promptId of promptIds) {
    const runs = await readRunEvidence(db, workspaceId, { promptId, span: spanOf(days), reader });
    for (const { id, pages } of runs) if (pages.includes(page)) ids.add(id);
  }
  return ids;
}

function citesBrand({ cited }: ExplainedRun): boolean {
  return cited.some((one) => one.subject_type === 'brand');
}

/** The runs that cite own pages, and the verified requests to them. */
async function explainOwnPages(
  db: Kysely<DataTables>,
  workspaceId: string,
  { days, pages }: { days: Days; pages: ReadonlySet<string> },
): Promise<ActionEvidence> {
  const subjects = await readSubjects(db, workspaceId);
  const all = await readBrandPages(db, workspaceId, { days, subjects });
  const named = all.filter(({ page }) => pages.has(page));
  const citing = new Set(named.flatMap(({ runs }) => runs));
  const runs = citing.size === 0 ? [] : await readExplainedRuns(db, workspaceId, days);
  const requests: ExplainedRequest[] = [];
  for (const { host, path } of named.flatMap(({ addresses }) => addresses)) {
    const request = { host: host === '' ? null : host, path };
    requests.push(...(await readRequests(db, workspaceId, { days, filter: { request } })));
  }
  return {
    runs: explainRuns(runs.filter(({ run_id: id }) => citing.has(id))),
    runs_before: [],
    requests: requests.toSorted((left, right) => (left.hit_at > right.hit_at ? -1 : 1)),
  };
}

async function readRequests(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    days,
    filter: { request },
  }: {
    days: Days;
    filter: { readonly request?: { bot?: string; host: string | null; path: string } };
  },
): Promise<ExplainedRequest[]> {
  if (request === undefined) return [];
  const { bot, host, path } = request;
  const hits = await db
    .selectFrom('hits')
    .select(['hit_at', 'status', 'user_agent'])
    .where('workspace_id', '=', workspaceId)
    .$if(bot !== undefined, (query) => query.where('bot_name', '=', bot ?? ''))
    .where('path', '=', path)
    .where('host', host === null ? 'is' : '=', host)
    .where('verification', '=', 'verified')
    .where('hit_at', '>=', startOfDay(days.from))
    .where('hit_at', '<', endOfDay(days.to))
    .orderBy('hit_at', 'desc')
    .orderBy('id')
    .execute();
  const [refused = [], others = []] = [true, false].map((is) =>
    hits.filter(({ status }) => isRefused(status) === is),
  );
  return [...refused, ...others];
}
