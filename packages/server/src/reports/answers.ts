import type { AnswerRow, Searched, Surface } from '@overheard/contract';
import { rankSince } from '@overheard/contract';
import { sql } from 'kysely';
import { isAfter } from '../storage/queries/order-by.ts';
import { pad } from '../storage/chunks.ts';
import { parseStoredSources } from '../storage/counts/linked-pages.ts';
import { parseStoredQueries } from '../storage/queries/stored-queries.ts';
import { citedPages } from '../storage/counts/packed-runs.ts';
import { readTagsByPrompt, spellingOf } from '../storage/prompt-tags.ts';
import { isOfSurface } from '../storage/queries/surface-filter.ts';
import { rangeColumns } from '../values/counted-range.ts';
import { endOfDay, startOfDay } from '../values/time/utc-day.ts';
import type { Presenting } from './citations.ts';
import { selectCitations, selectPresented } from './citations.ts';
import { readSubjectRows } from './subjects.ts';
import type { ReportSource } from './report-source.ts';
import { readOwners } from './owners.ts';
import type { OwnedPage } from './owners.ts';

/** The run after which a page of answers begins. */
export interface AnswerCursor {
  readonly runAt: string;
  readonly id: string;
}

/** Selects answers. Without a period, those of all days. */
export interface AnswerQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly runId?: string | undefined;
  readonly promptId?: string | undefined;
  readonly engine?: string | undefined;
  readonly surface?: Surface | undefined;
  readonly locale?: string | undefined;
  /** Only prompts with this tag, in any case. */
  readonly tag?: string | undefined;
  readonly outcome?: AnswerRow['outcome'] | undefined;
  /** Only answers whose engine searched, or did not. */
  readonly searched?: Searched | undefined;
  /** Only answers that link to this site or name it as a source. */
  readonly site?: string | undefined;
  /** Leaves out the answers to prompts that name a competitor. */
  readonly excludesCompetitorPrompts?: boolean;
  /** Only answers that cite, or do not cite, a subject. Without an id it is the brand. */
  readonly citing?:
    | { readonly subjectId: string | undefined; readonly isCited: boolean }
    | undefined;
  /** Only answers that present a subject so. Without an id it is the brand. */
  readonly presenting?: Presenting | undefined;
  readonly rowsMax: number;
  readonly after?: AnswerCursor | undefined;
}

/** Most bytes of text on one page, unless a single answer is longer. */
const pageBytesMax = 4 * 1024 * 1024;

/** Reads a page of answers, the most recent first. */
export async function readAnswerPage(source: ReportSource, asked: AnswerQuery) {
  const query = await spellTag(source, asked);
  const runs = await selectRuns(source, query)
    .select([
      'runs.id',
      'run_at',
      sql<number>`octet_length(answer) + octet_length(sources)`.as('bytes'),
    ])
    .limit(query.rowsMax + 1)
    .execute();
  const page = takePage(runs.slice(0, query.rowsMax));
  const last = page.at(-1);
  if (last === undefined) return { rows: [], next: undefined };
  const next = page.length < runs.length ? { runAt: last.run_at, id: last.id } : undefined;
  return {
    rows: await readRows(
      source,
      page.map(({ id }) => id),
    ),
    next,
  };
}

/** Yields all pages of `rowsMax` answers each, the most recent first. */
export async function* readAnswerPages(
  source: ReportSource,
  query: AnswerQuery,
): AsyncGenerator<readonly AnswerRow[]> {
  let { after } = query;
  do {
    const { rows, next } = await readAnswerPage(source, { ...query, after });
    yield rows;
    after = next;
  } while (after !== undefined);
}

function takePage<Row extends { readonly bytes: number }>(rows: readonly Row[]): readonly Row[] {
  let bytes = 0;
  const tooMany = rows.findIndex((row) => (bytes += row.bytes) > pageBytesMax);
  return tooMany === -1 ? rows : rows.slice(0, Math.max(1, tooMany));
}

/** The query with its tag as the workspace spells it, because `selectRuns` compares it exactly. */
export async function spellTag<Query extends Pick<AnswerQuery, 'tag'>>(
  { db, workspaceId }: ReportSource,
  query: Query,
): Promise<Query> {
  if (query.tag === undefined) return query;
  const tags = await readTagsByPrompt(db, workspaceId);
  return { ...query, tag: spellingOf(tags, query.tag) ?? query.tag };
}

function joinAnswers({ db, workspaceId }: ReportSource) {
  return db
    .selectFrom('runs')
    .innerJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .innerJoin('prompts', (join) =>
      join.on('prompts.workspace_id', '=', workspaceId).onRef('prompts.id', '=', 'runs.prompt_id'),
    );
}

/** Selects the runs that match a query and whose answer is stored, the most recent first. */
export function selectRuns({ db, workspaceId }: ReportSource, query: AnswerQuery) {
  const { from, to, runId, promptId, engine, surface, locale, tag, outcome, site, citing, after } =
    query;
  const { presenting } = query;
  return joinAnswers({ db, workspaceId })
    .where('runs.workspace_id', '=', workspaceId)
    .$if(from !== undefined, (is) => is.where('run_at', '>=', startOfDay(from ?? '')))
    .$if(to !== undefined, (is) => is.where('run_at', '<', endOfDay(to ?? '')))
    .$if(runId !== undefined, (is) => is.where('runs.id', '=', runId ?? ''))
    .$if(promptId !== undefined, (is) => is.where('runs.prompt_id', '=', promptId ?? ''))
    .$if(engine !== undefined, (is) => is.where('engine', '=', engine ?? ''))
    .$if(surface !== undefined, (is) => is.where(isOfSurface(surface)))
    .$if(locale !== undefined, (is) => {
      // As `isInLocaleRange`. The form of the parameter has no wildcards.
      const range = `${locale}-%`.toLowerCase();
      return is.where(sql<boolean>`lower(prompts.locale || '-') like ${range}`);
    })
    .$if(query.searched !== undefined, (is) => is.where('searched', '=', query.searched === 'yes'))
    .$if(tag !== undefined, (is) =>
      is.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('prompt_tags')
            .select('tag')
            .where('prompt_tags.workspace_id', '=', workspaceId)
            .whereRef('prompt_tags.prompt_id', '=', 'runs.prompt_id')
            .where('tag', '=', tag ?? ''),
        ),
      ),
    )
    .$if(outcome !== undefined, (is) => is.where('outcome', '=', outcome ?? 'answered'))
    .$if(site !== undefined, (is) => {
      const listed = JSON.stringify(site);
      // `replace` works the same on both databases and, unlike LIKE, gives no character of the site
      // a special meaning.
      return is.where(sql<boolean>`replace(answers.sites, ${listed}, '') <> answers.sites`);
    })
    .$if(query.excludesCompetitorPrompts === true, (is) =>
      is.where((or) =>
        or.or([or('names_competitor', 'is', null), or('names_competitor', '=', false)]),
      ),
    )
    .$if(citing !== undefined, (is) =>
      is.where('outcome', '=', 'answered').where(({ exists, not }) => {
        const cites = exists(selectCitations({ db, workspaceId }, citing?.subjectId));
        return citing?.isCited === false ? not(cites) : cites;
      }),
    )
    .$if(presenting !== undefined, (is) =>
      is.where(({ exists }) =>
        exists(selectPresented({ db, workspaceId }, presenting ?? { stance: 'plain' })),
      ),
    )
    .where(({ ref }) => isAfter(ref('run_at'), ref('runs.id'), after))
    .orderBy('run_at', 'desc')
    .orderBy('runs.id');
}

async function readRows(source: ReportSource, ids: readonly string[]): Promise<AnswerRow[]> {
  const names = new Map((await readSubjectRows(source)).map(({ id, name }) => [id, name]));
  const ownerOf = await readOwners(source);
  const runs = await selectStored(source, ids);
  const citedIn = Map.groupBy(await selectCited(source, ids), (row) => row.run_id);
  const rows = new Map(
    runs.map((run) => [run.run_id, toRow(run, citedIn.get(run.run_id) ?? [], { names, ownerOf })]),
  );
  return ids.flatMap((id) => rows.get(id) ?? []);
}

function selectStored({ db, workspaceId }: ReportSource, ids: readonly string[]) {
  return joinAnswers({ db, workspaceId })
    .select(['runs.id as run_id', 'runs.prompt_id', 'asked', 'branded', 'names_competitor'])
    .select(['engine', 'model', 'cohort', 'locale', 'run_at', 'outcome', 'answer', 'sources'])
    .select(['sites', 'queries', ...rangeColumns])
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.id', 'in', pad(ids))
    .execute();
}

function selectCited({ db, workspaceId }: ReportSource, ids: readonly string[]) {
  return db
    .selectFrom('detections')
    .leftJoin('stances', (join) =>
      join
        .on('stances.workspace_id', '=', workspaceId)
        .onRef('stances.run_id', '=', 'detections.run_id')
        .onRef('stances.subject_id', '=', 'detections.subject_id'),
    )
    .select(['detections.run_id', 'detections.subject_id', 'position', 'rank', 'sentence', 'url'])
    .select(['stance', 'purpose', 'quote'])
    .where('detections.workspace_id', '=', workspaceId)
    .where('detections.run_id', 'in', pad(ids))
    .where('cited', '=', true)
    .orderBy('rank')
    .orderBy('id')
    .execute();
}

type StoredAnswer = Awaited<ReturnType<typeof selectStored>>[number];

type StoredCitation = Awaited<ReturnType<typeof selectCited>>[number];

function toRow(
  run: StoredAnswer,
  cited: readonly StoredCitation[],
  { names, ownerOf }: { names: ReadonlyMap<string, string>; ownerOf: (url: string) => OwnedPage },
): AnswerRow {
  return {
    run_id: run.run_id,
    prompt_id: run.prompt_id ?? '',
    prompt: run.asked,
    branded: Boolean(run.branded),
    names_competitor: Boolean(run.names_competitor),
    engine: run.engine,
    model: run.model,
    cohort: run.cohort ?? '',
    locale: run.locale,
    run_at: run.run_at,
    outcome: run.outcome ?? 'answered',
    text: run.answer,
    sources: parseStoredSources(run.sources).map(({ url, title = '' }) => {
      const { site, owner } = ownerOf(url);
      return { url, title, site, owner };
    }),
    cited: cited.map(
      ({ subject_id: id, position, rank, sentence, url, stance, purpose, quote }) => ({
        subject_id: id ?? '',
        name: names.get(id ?? '') ?? '',
        how: position === null ? 'linked' : url === null ? 'named' : 'both',
        position,
        rank: run.run_at < rankSince ? null : rank,
        sentence: sentence ?? '',
        stance,
        purpose,
        quote,
      }),
    ),
    links:
      run.outcome === 'answered'
        ? citedPages(run).map(({ name: url }) => {
            const { site, owner } = ownerOf(url);
            return { url, site, owner };
          })
        : [],
    queries: parseStoredQueries(run.queries),
  };
}
