import type { ShareRow } from '@overheard/contract';
import { sql } from 'kysely';
import { isOfSurface } from '../../storage/queries/surface-filter.ts';
import { readTagsByPrompt } from '../../storage/prompt-tags.ts';
import { foldCase } from '../../values/fold-case.ts';
import { tagKey } from '../../values/tag.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { readPeriodShares } from '../shares/shares.ts';
import type { ShareQuery, Surfaces } from '../shares/shares.ts';
import type { ReportSource } from '../report-source.ts';

/** The columns by which prompts can be sorted. */
export const promptSorts = ['added', 'text', 'locale', 'runs', 'rate', 'sov', 'last'] as const;
export type PromptSort = (typeof promptSorts)[number];

/** Selects the prompts to list, and the runs for their figures. */
export interface PromptListQuery extends Pick<
  ShareQuery,
  'from' | 'to' | 'engine' | 'surface' | 'locale' | 'tag' | 'searched' | 'excludesCompetitorPrompts'
> {
  /** A part of the text, in any case. */
  readonly text?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly isCollected?: boolean | undefined;
  readonly isBranded?: boolean | undefined;
  readonly sort: PromptSort;
  readonly isDescending: boolean;
  readonly offset: number;
  readonly rowsMax: number;
}

/** A stored prompt, with facts from its latest answer. */
export interface PromptState {
  readonly id: string;
  readonly text: string;
  readonly language: string;
  readonly locale: string;
  readonly active: boolean;
  readonly collected: boolean;
  readonly created_at: string;
  /** Its tags, the topic first, and whether it has a topic. */
  readonly tags: readonly string[];
  readonly hasTopic: boolean;
  /** Whether its text names the brand, by its latest judged run; null before the first one. */
  readonly branded: boolean | null;
  readonly names_competitor: boolean | null;
  /** Stored runs of the period, counted or not. */
  readonly runs: number;
  /** The last run of any day, on the query's engine if it names one. */
  readonly last_run_at: string | null;
}

/** One line of the list. */
export interface ListedPrompt extends PromptState {
  /** The brand's figures; null without counted runs. */
  readonly brand: ShareRow | null;
  /** The subject that most of its counted runs cite; null if they cite nobody. */
  readonly leader: ShareRow | null;
}

/** A page of the list. */
export interface PromptList {
  readonly surfaces: Surfaces;
  readonly rows: readonly ListedPrompt[];
  /** How many prompts match the filters. */
  readonly total: number;
  /** All prompts of the workspace. */
  readonly prompts: number;
}

/** Reads a page of the prompts with their figures. */
export async function readPromptList(
  source: ReportSource,
  query: PromptListQuery,
): Promise<PromptList> {
  const all = await readPromptStates(source, query);
  const { tag } = query;
  const left = all.filter((prompt) => isListed(prompt, query) && hasTag(prompt, tag));
  const period = await readPeriodShares(source, { ...query, omitsChanges: true });
  const { rowsBy, head } = period;
  const shares = rowsBy('prompt', { surface: head, isCompared: false });
  const sharesOf = Map.groupBy(shares, (row) => row.prompt_id);
  const lines = left
    .map((prompt) => ({ ...prompt, ...figuresOf(sharesOf.get(prompt.id) ?? []) }))
    .toSorted(comparator(query));
  return {
    surfaces: period.surfaces(),
    rows: lines.slice(query.offset, query.offset + query.rowsMax),
    total: lines.length,
    prompts: all.length,
  };
}

/** Reads all prompts, or one, with facts from their runs. */
export async function readPromptStates(
  { db, workspaceId }: ReportSource,
  {
    from,
    to,
    engine,
    surface,
    promptId,
  }: Pick<ShareQuery, 'from' | 'to' | 'engine' | 'surface' | 'promptId'>,
): Promise<PromptState[]> {
  const rows = await db
    .selectFrom('prompts')
    .select(['id', 'text', 'language', 'locale', 'active', 'collect', 'created_at'])
    .select(({ selectFrom }) => {
      const all = selectFrom('runs')
        .where('runs.workspace_id', '=', workspaceId)
        .whereRef('runs.prompt_id', '=', 'prompts.id');
      const runs = all
        .$if(engine !== undefined, (is) => is.where('engine', '=', engine ?? ''))
        .$if(surface !== undefined, (is) => is.where(isOfSurface(surface)));
      const judged = all.where('branded', 'is not', null).orderBy('run_at', 'desc').limit(1);
      return [
        runs
          .where('run_at', '>=', startOfDay(from))
          .where('run_at', '<', endOfDay(to))
          .select(({ fn }) => fn.countAll<number | string>().as('count'))
          .as('runs'),
        runs.select(({ fn }) => fn.max('run_at').as('last')).as('last_run_at'),
        judged.select(sql<number>`case when branded then 1 else 0 end`.as('is')).as('branded'),
        judged
          .select(sql<number>`case when names_competitor then 1 else 0 end`.as('is'))
          .as('names_competitor'),
      ];
    })
    .where('workspace_id', '=', workspaceId)
    .$if(promptId !== undefined, (is) => is.where('id', '=', promptId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const tags = await readTagsByPrompt(db, workspaceId);
  return rows.map(({ collect, ...row }) => ({
    ...row,
    tags: [...(tags.get(row.id)?.keys() ?? [])],
    hasTopic: tags.get(row.id)?.values().next().value === true,
    active: Boolean(row.active),
    collected: Boolean(collect),
    branded: row.branded === null ? null : row.branded === 1,
    names_competitor: row.names_competitor === null ? null : row.names_competitor === 1,
    runs: Number(row.runs),
  }));
}

function isListed(prompt: PromptState, query: PromptListQuery): boolean {
  const { text, locale, isActive, isCollected, isBranded, excludesCompetitorPrompts } = query;
  return (
    (text === undefined || foldCase(prompt.text).includes(foldCase(text))) &&
    (locale === undefined || prompt.locale === locale) &&
    (isActive === undefined || prompt.active === isActive) &&
    (isCollected === undefined || prompt.collected === isCollected) &&
    (isBranded === undefined || (prompt.branded === true) === isBranded) &&
    !(excludesCompetitorPrompts && prompt.names_competitor === true)
  );
}

function hasTag({ tags }: PromptState, tag: string | undefined): boolean {
  return tag === undefined || tags.some((each) => tagKey(each) === tagKey(tag));
}

function figuresOf(rows: readonly ShareRow[]): Pick<ListedPrompt, 'brand' | 'leader'> {
  const [leader] = rows
    .filter(({ cited }) => cited > 0)
    .toSorted((left, right) => right.cited - left.cited);
  const brand = rows.find(({ subject_type: type }) => type === 'brand');
  return { brand: brand ?? null, leader: leader ?? null };
}

type Sortable = PromptState & Pick<ListedPrompt, 'brand'>;

/**
 * Compares prompts. Unknown values come last in either direction, and equal ones keep the order of
 * the API.
 */
function comparator({ sort, isDescending }: PromptListQuery) {
  const sign = isDescending ? -1 : 1;
  return (left: Sortable, right: Sortable): number => {
    const [before, after] = [keys[sort](left), keys[sort](right)];
    if (before === null || after === null) return Number(before === null) - Number(after === null);
    return before === after ? 0 : before < after ? -sign : sign;
  };
}

const keys: Readonly<Record<PromptSort, (row: Sortable) => string | number | null>> = {
  added: ({ created_at }) => created_at,
  text: ({ text }) => foldCase(text),
  locale: ({ locale }) => locale,
  runs: ({ runs }) => runs,
  rate: ({ brand }) => brand?.rate ?? null,
  sov: ({ brand }) => brand?.sov ?? null,
  last: ({ last_run_at }) => last_run_at,
};
