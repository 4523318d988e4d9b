import { setImmediate } from 'node:timers/promises';
import { isLocalModel, surfaceOf } from '@overheard/contract';
import type { Searched, ShareGrouping, ShareRow, SubjectRow, Surface } from '@overheard/contract';
import { countPromptRuns } from '../../storage/counts/prompt-counts.ts';
import { readRunCounts } from '../../storage/counts/run-counts.ts';
import type { RunCounts } from '../../storage/counts/run-counts.ts';
import { readTagsByPrompt } from '../../storage/prompt-tags.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { readPromptNames } from '../known-names.ts';
import { readSubjectRows } from '../subjects.ts';
import type { ReportSource } from '../report-source.ts';
import { groupKeys } from './group-keys.ts';
import { createRunFilter } from './run-filter.ts';
import type { RunFilters } from './run-filter.ts';
import { createFigures } from './figures.ts';
import { toJudgedRows, toShareRows } from './share-rows.ts';
import type { GroupSubject, JudgedRow } from './share-rows.ts';
import { createShareTally } from './tally.ts';
import type { GroupTally, TallyOptions } from './tally.ts';
import { readTracking } from './tracking.ts';
import type { Tracking } from './tracking.ts';
import { omitsBefore, sideOf } from './sides.ts';
import type { ComparedWith } from './sides.ts';
import { windowsOf } from './windows.ts';
import { countUnanswered } from './unanswered.ts';
import type { Unanswered } from './unanswered.ts';
import type { Period, ReportWindow } from './windows.ts';

/** The query of shares, with a resolved period. */
export interface ShareQuery extends Period, RunFilters, ComparedWith {
  readonly by: ShareGrouping;
  readonly rowsMax: number;
}

const blockDays = { day: 1, week: 7 } as const;

/** Groupings of a whole period, without those by its days. */
export type PeriodGrouping = Exclude<ShareGrouping, keyof typeof blockDays>;

/** Citation rate and share of voice of every subject, over counted runs pooled by counts. */
export async function readShares(source: ReportSource, query: ShareQuery): Promise<ShareRow[]> {
  const { by, rowsMax } = query;
  if (by === 'day' || by === 'week') return readBlocks(source, { ...query, by });
  const { rowsBy, isLeftOut } = await readPeriodShares(source, query);
  const unanswered = by === 'engine' ? await countUnanswered(source, query, isLeftOut) : undefined;
  return rowsBy(by, { unanswered }).slice(0, rowsMax);
}

/** A question about the subject at a place in one group. */
type SubjectTest = (group: GroupTally, place: number) => boolean;

/** Where the answers of a report were given. */
export interface Surfaces {
  /** Of the head figures: in apps if any has counted runs, else in APIs. */
  readonly head: Surface;
  /** The brand over the APIs, if the head is the apps'. Null if it has no counted runs there. */
  readonly beside: ShareRow | null;
  /** With `searched`: runs of `head` of which it is unknown; of both surfaces if none is counted. */
  readonly search: { readonly is: Searched; readonly unknown: number } | null;
  /** The engines with counted runs that are models on machines of one's own. */
  readonly localModels: readonly string[];
}

interface RowOptions {
  readonly surface?: Surface;
  readonly isBrandOnly?: boolean;
  readonly isCompared?: boolean;
  /** Whether to compute a subject's figures, which takes most of a report's time. */
  readonly isShown?: SubjectTest;
  readonly unanswered?: Unanswered | undefined;
}

/** The counts of a period and of the one before, read once for any number of groupings. */
export interface PeriodShares extends Pick<TallyOptions, 'isLeftOut'> {
  readonly subjects: readonly SubjectRow[];
  /** Where the answers of head figures were given: in apps if any has counted runs, else in APIs. */
  readonly head: Surface;
  readonly surfaces: () => Surfaces;
  /**
   * The rows of a grouping, of one `surface` or pooled; `isBrandOnly` leaves the competitors out,
   * `isCompared: false` the verdicts.
   */
  readonly rowsBy: (by: PeriodGrouping, options?: RowOptions) => ShareRow[];
  /** The same rows, each with the chance behind the verdict of its rate. */
  readonly judgedBy: (by: PeriodGrouping, options?: RowOptions) => JudgedRow[];
  readonly groupsBy: (by: PeriodGrouping, surface?: Surface) => ReadonlyMap<string, GroupTally>;
  /** Whether all runs of a group were judged for a subject. If not, its rate is null. */
  readonly isTracked: SubjectTest;
}

/** Which subject is the brand, and which prompts are left out. */
interface RowContext extends Pick<TallyOptions, 'isLeftOut'> {
  readonly brandId: string;
}

/**
 * Reads a period. `onRow` gets all stored counts on the way, the oldest first, also those from
 * `rowsFrom` on that no figure counts.
 */
export async function readPeriodShares(
  source: ReportSource,
  query: Omit<ShareQuery, 'by' | 'rowsMax'>,
  onRow: (row: RunCounts, of: RowContext) => void = () => {},
  rowsFrom: string = query.to,
): Promise<PeriodShares> {
  const context = await readContext(source, query);
  const { subjects, tracking, isLeftOut, unknownIn, newTally, keysOf, textOf } = context;
  const { searched } = query;
  const unknown = { app: 0, api: 0 };
  const [window] = windowsOf(query, undefined);
  const tally = newTally();
  const brandId = subjects.find(({ type }) => type === 'brand')?.id ?? '';
  const from = (omitsBefore(query) ? undefined : window?.before.from) ?? query.from;
  const first = rowsFrom < from ? rowsFrom : from;
  for await (const rows of countsOf(source, { ...query, from: first })) {
    for (const row of rows) {
      const sided = window && sideOf(row, window, query);
      if (sided !== undefined) tally.add(...sided);
      if (searched !== undefined && sided?.[1] === 'now') {
        unknown[surfaceOf(row.engine)] += unknownIn(row);
      }
      onRow(row, { brandId, isLeftOut });
    }
  }
  const groups = new Map<string, ReadonlyMap<string, GroupTally>>();
  const counted = [...groupsBy('engine')].filter(([, { runs }]) => runs > 0);
  const head = counted.some(([engine]) => surfaceOf(engine) === 'app') ? 'app' : 'api';
  const isTracked: SubjectTest = ({ judgedBy: sets }, place) => tracking.of(sets).isTracked(place);
  return { subjects, head, surfaces, isLeftOut, rowsBy, judgedBy, groupsBy, isTracked };

  function surfaces(): Surfaces {
    const [ofApis] = head === 'api' ? [] : rowsBy('total', { isBrandOnly: true, surface: 'api' });
    const localModels = counted.map(([engine]) => engine).filter(isLocalModel);
    const ofHead = counted.length > 0 ? unknown[head] : unknown.app + unknown.api;
    const search = searched === undefined ? null : { is: searched, unknown: ofHead };
    return { head, beside: ofApis ?? null, search, localModels };
  }

  function groupsBy(by: PeriodGrouping, surface?: Surface): ReadonlyMap<string, GroupTally> {
    const key = `${by} ${surface ?? ''}`;
    const keysOfPair = keysOf(by);
    const isWanted = (engine: string) => surface === undefined || surfaceOf(engine) === surface;
    const tallies =
      groups.get(key) ??
      tally.groupBy((id, engine) => (isWanted(engine) ? keysOfPair(id, engine) : []));
    groups.set(key, tallies);
    return tallies;
  }

  function rowsBy(by: PeriodGrouping, options: RowOptions = {}): ShareRow[] {
    return judgedBy(by, options).map(({ row }) => row);
  }

  function judgedBy(
    by: PeriodGrouping,
    { surface, isBrandOnly = false, isCompared = true, isShown, unanswered }: RowOptions = {},
  ): JudgedRow[] {
    if (window === undefined) return [];
    const isOnePrompt = by === 'prompt' || query.promptId !== undefined;
    const listed = isBrandOnly ? subjects.filter(({ type }) => type === 'brand') : subjects;
    const lines = linesOf(groupsBy(by, surface), {
      isAgainstApi: query.isAgainstApi,
      window,
      subjects: listed,
      tracking,
      isOnePrompt,
      isCompared,
      isShown,
    });
    return toJudgedRows(lines, {
      subjects: listed,
      by,
      isMovers: by === 'prompt' || by === 'tag' || by === 'topic',
      textOf,
      unanswered,
      searchUnknown: searched === undefined ? null : unknown.app + unknown.api,
    });
  }
}

async function readBlocks(
  source: ReportSource,
  query: ShareQuery & { by: keyof typeof blockDays },
): Promise<ShareRow[]> {
  const { by, promptId, rowsMax } = query;
  const { subjects, tracking, unknownIn, newTally, keysOf, textOf } = await readContext(
    source,
    query,
  );
  let unknown = 0;
  const isOnePrompt = promptId !== undefined;
  const windows = windowsOf(query, blockDays[by]).map((window) => ({ window, tally: newTally() }));
  const lines: GroupSubject[] = [];
  // A shortened first block needs earlier counts of fewer days than the next one.
  const starts = windows.map(({ window }) => window.before.from);
  const earliest = omitsBefore(query) ? undefined : starts.toSorted()[0];
  const from = earliest ?? query.from;
  for await (const rows of countsOf(source, { ...query, from })) for (const row of rows) add(row);
  finish(addDays(query.to, 1));
  const searchUnknown = query.searched === undefined ? null : unknown;
  const context = { by, isMovers: true, textOf, searchUnknown };
  return toShareRows(lines, { subjects, ...context }).slice(0, rowsMax);

  function add(row: RunCounts): void {
    finish(row.date);
    for (const { window, tally } of windows) {
      const sided = sideOf(row, window, query);
      if (sided === undefined) continue;
      tally.add(...sided);
      if (query.searched !== undefined && sided[1] === 'now') unknown += unknownIn(row);
    }
  }

  /** Computes the windows that ended before a day, so that not all days of a year are in memory. */
  function finish(date: string): void {
    while (windows[0] !== undefined && windows[0].window.to < date) {
      const { window, tally } = windows[0];
      windows.shift();
      const groups = tally.groupBy(keysOf(by));
      const { isAgainstApi } = query;
      lines.push(...linesOf(groups, { window, subjects, tracking, isOnePrompt, isAgainstApi }));
    }
  }
}

async function readContext(source: ReportSource, query: Omit<ShareQuery, 'by' | 'rowsMax'>) {
  const subjects = await readSubjectRows(source);
  const subjectIds = subjects.map(({ id }) => id);
  const tracking = await readTracking(source, subjectIds);
  const prompts = await readPromptNames(source);
  const tags = await readTagsByPrompt(source.db, source.workspaceId);
  const filter = createRunFilter(query, { prompts, tags });
  const { isLeftOut } = filter;
  const newTally = () => createShareTally({ subjectIds, isLeftOut });
  const textOf = (id: string) => prompts.get(id)?.text ?? '';
  const keysOf = (by: ShareGrouping) => groupKeys(by, { prompts, tags });
  return { subjects, tracking, ...filter, newTally, keysOf, textOf };
}

/**
 * Yields counts of a few days at a time. For one prompt it counts the runs, which are fewer than
 * all counts.
 */
async function* countsOf(
  { db, workspaceId }: ReportSource,
  { from, to, engine, surface, promptId, isAgainstApi }: Omit<ShareQuery, 'by' | 'rowsMax'>,
): AsyncGenerator<readonly RunCounts[]> {
  // Of an app and its API, both are read.
  const days = isAgainstApi === true ? { from, to } : { from, to, engine, surface };
  const stored =
    promptId === undefined
      ? readRunCounts(db, workspaceId, days)
      : countPromptRuns(db, workspaceId, { ...days, promptId });
  for await (const rows of stored) {
    yield rows;
    await setImmediate();
  }
}

function linesOf(
  groups: ReadonlyMap<string, GroupTally>,
  {
    window,
    subjects,
    isShown = () => true,
    ...context
  }: {
    window: ReportWindow;
    subjects: readonly SubjectRow[];
    tracking: Tracking;
    isOnePrompt: boolean;
    isCompared?: boolean;
    isAgainstApi: boolean | undefined;
    isShown?: SubjectTest | undefined;
  },
): GroupSubject[] {
  return [...groups].flatMap(([key, group]) => {
    if (group.runs === 0) return [];
    const { figuresOf, ...counts } = createFigures(group, context);
    return subjects.flatMap((subject, place) => {
      if (!isShown(group, place)) return [];
      const figures = figuresOf(place);
      return [{ subject, place, window, key, group, ...counts, figures }];
    });
  });
}
