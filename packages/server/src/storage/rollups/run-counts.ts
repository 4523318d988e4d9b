import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import { addDays, endOfDay, startOfDay } from '../../values/utc-day.ts';
import { padded } from '../chunks.ts';
import { countedRuns } from '../counted-runs.ts';
import type { DataTables } from '../schema.ts';

/** In how many counted runs of a prompt a subject was cited, and how. */
export type SubjectCount = readonly [
  /** Its place in `subjects`. */
  subject: number,
  cited: number,
  named: number,
  linked: number,
  rankSum: number,
];

/** Counted runs of one prompt; only cited subjects are listed. */
export type PromptCount = readonly [
  promptId: string,
  namesCompetitor: 0 | 1,
  runs: number,
  subjects: readonly SubjectCount[],
];

/** Counted runs of one UTC day, engine, cohort and set of subjects: one row of `run_counts`. */
export interface RunCounts {
  readonly date: string;
  readonly engine: string;
  readonly cohort: string;
  /** The set of subjects that judged them; empty if it is not known. */
  readonly judged_by: string;
  /** Ids of the cited subjects. */
  readonly subjects: readonly string[];
  readonly prompts: readonly PromptCount[];
}

/** A day of one engine. */
interface EngineDay {
  readonly date: string;
  readonly engine: string;
}

/**
 * Updates the counts of some engine days from their runs and detections, in the transaction that changed
 * those. One row holds a day of all prompts, because a row for each prompt and subject would take 30 times
 * the space, and more than a second to add up 28 days of 500 prompts. See
 * docs/decisions/packed-rollups.md. Returns whether a row changed.
 */
export async function deriveRunCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly EngineDay[],
): Promise<boolean> {
  let hasChanged = false;
  for (const [date, ofDate] of Map.groupBy(days, (day) => day.date)) {
    const engines = padded([...new Set(ofDate.map(({ engine }) => engine))]);
    const counted = new Map(
      (await countRuns(transaction, workspaceId, { date, engines })).map((row) => [
        keyOf(row),
        { row, counts: packed(row) },
      ]),
    );
    const stored = await ofDay(transaction, workspaceId, { date, engines })
      .select(['engine', 'cohort', 'judged_by', 'counts'])
      .execute();
    const isSame =
      stored.length === counted.size &&
      stored.every((row) => counted.get(keyOf(row))?.counts === row.counts);
    if (isSame) continue;
    hasChanged = true;
    await transaction
      .deleteFrom('run_counts')
      .where('workspace_id', '=', workspaceId)
      .where('date', '=', date)
      .where('engine', 'in', engines)
      .execute();
    for (const { row, counts } of counted.values()) {
      const { engine, cohort, judged_by } = row;
      await transaction
        .insertInto('run_counts')
        .values({ workspace_id: workspaceId, date, engine, cohort, judged_by, counts })
        .execute();
    }
  }
  return hasChanged;
}

/** Counts that were unpacked before, with their text: most days of a report do not change between two. */
export type UnpackedCounts = LRUCache<
  string,
  { readonly text: string; readonly value: Pick<RunCounts, 'subjects' | 'prompts'> }
>;

// Unpacked, a character of text takes about 6 bytes.
const unpackedCharacters = 24 * 1024 * 1024;

/** Makes a cache for a thread that reads reports again and again. */
export function createUnpackedCounts(): UnpackedCounts {
  return new LRUCache({ maxSize: unpackedCharacters, sizeCalculation: ({ text }) => text.length });
}

/** Reads stored counts, a day at a time, oldest first; days without counted runs have none. */
export async function* readRunCounts(
  db: Kysely<DataTables>,
  workspaceId: string,
  {
    from,
    to,
    engine,
    known,
  }: {
    from: string;
    to: string;
    engine?: string | undefined;
    known?: UnpackedCounts | undefined;
  },
): AsyncGenerator<readonly RunCounts[]> {
  // Few days at a time, so that the event loop is never busy for long.
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1);
    const rows = await db
      .selectFrom('run_counts')
      .select(['date', 'engine', 'cohort', 'judged_by', 'counts'])
      .where('workspace_id', '=', workspaceId)
      .where('date', '>=', first)
      .where('date', '<=', last < to ? last : to)
      .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
      .orderBy('date')
      .orderBy('engine')
      .orderBy('cohort')
      .orderBy('judged_by')
      .execute();
    if (rows.length > 0) yield rows.map(unpackedRow);
  }

  function unpackedRow({
    counts,
    ...row
  }: Omit<RunCounts, 'subjects' | 'prompts'> & { counts: string }): RunCounts {
    const key = JSON.stringify([workspaceId, row]);
    const before = known?.get(key);
    const value = before?.text === counts ? before.value : unpacked(counts);
    if (value !== before?.value) known?.set(key, { text: counts, value });
    return { ...row, ...value };
  }
}

const daysAtOnce = 2;
function ofDay(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, engines }: { date: string; engines: readonly string[] },
) {
  return db
    .selectFrom('run_counts')
    .where('workspace_id', '=', workspaceId)
    .where('date', '=', date)
    .where('engine', 'in', engines);
}

/** Counts the runs of a day from the runs and their detections. */
export async function countRuns(
  db: Kysely<DataTables>,
  workspaceId: string,
  { date, engines }: { date: string; engines: readonly string[] },
): Promise<RunCounts[]> {
  const counted = countedRuns(db, workspaceId)
    .where('run_at', '>=', startOfDay(date))
    .where('run_at', '<', endOfDay(date))
    .where('engine', 'in', engines);
  const { runs, cited } = await selectSums(counted, workspaceId);
  return gathered(date, runs, cited);
}

/** Sums of counted runs, and of the citations in them, by what one row of counts is of. */
export async function selectSums<Selected>(
  counted: SelectQueryBuilder<DataTables, 'runs', Selected>,
  workspaceId: string,
) {
  const grouped = counted
    .select(['engine', 'cohort', 'judged_by', 'prompt_id', 'names_competitor'])
    .groupBy(['engine', 'cohort', 'judged_by', 'prompt_id', 'names_competitor']);
  const runs = await grouped.select(({ fn }) => fn.countAll<number>().as('runs')).execute();
  const cited = await grouped
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .where('cited', '=', true)
    .select(({ fn }) => [
      'subject_id',
      fn.countAll<number>().as('cited'),
      sql<number>`cast(sum(case when position is null then 0 else 1 end) as integer)`.as('named'),
      sql<number>`cast(sum(case when url is null then 0 else 1 end) as integer)`.as('linked'),
      sql<number>`cast(sum(coalesce(rank, 0)) as integer)`.as('rank_sum'),
    ])
    .groupBy('subject_id')
    .execute();
  return { runs, cited };
}

interface CountedKey {
  readonly engine: string;
  readonly cohort: string | null;
  readonly judged_by: string | null;
  readonly prompt_id: string | null;
  readonly names_competitor: boolean | 0 | 1 | null;
}

interface SubjectSums extends CountedKey {
  readonly subject_id: string | null;
  readonly cited: number;
  readonly named: number;
  readonly linked: number;
  readonly rank_sum: number;
}

/** Groups counts into rows of the table. Their order depends on their content alone. */
export function gathered(
  date: string,
  runs: ReadonlyArray<CountedKey & { readonly runs: number }>,
  cited: readonly SubjectSums[],
): RunCounts[] {
  const citedOf = Map.groupBy(cited, keyOf);
  return [...Map.groupBy(runs, keyOf)].map(([key, group]) => {
    const ofGroup = citedOf.get(key) ?? [];
    const subjects = [...new Set(ofGroup.map((row) => row.subject_id ?? ''))].toSorted();
    const places = new Map(subjects.map((id, place) => [id, place]));
    const citedByPrompt = Map.groupBy(ofGroup, promptKey);
    const prompts = [...Map.groupBy(group, promptKey)].map(([prompt, rows]): PromptCount => {
      const [id = '', names] = prompt.split(' ');
      const ofPrompt = rows.reduce((before, row) => before + row.runs, 0);

      const counts = Map.groupBy(citedByPrompt.get(prompt) ?? [], (row) => row.subject_id ?? '');
      const ofSubjects = [...counts].map(([subject, parts]): SubjectCount => [
        places.get(subject) ?? 0,
        total(parts, 'cited'),
        total(parts, 'named'),
        total(parts, 'linked'),
        total(parts, 'rank_sum'),
      ]);
      return [id, names === '1' ? 1 : 0, ofPrompt, ofSubjects.toSorted(([a], [b]) => a - b)];
    });
    const { engine, cohort, judged_by } = group[0] ?? { engine: '', cohort: '', judged_by: '' };
    return {
      date,
      engine,
      cohort: cohort ?? '',
      judged_by: judged_by ?? '',
      subjects,
      prompts: prompts.toSorted(byPrompt),
    };
  });
}

function byPrompt([left, leftNames]: PromptCount, [right, rightNames]: PromptCount): number {
  if (left !== right) return left < right ? -1 : 1;
  return leftNames - rightNames;
}

function total(
  rows: readonly SubjectSums[],
  field: 'cited' | 'named' | 'linked' | 'rank_sum',
): number {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

function keyOf({
  engine,
  cohort,
  judged_by: judgedBy,
}: Pick<CountedKey, 'engine' | 'cohort' | 'judged_by'>): string {
  return JSON.stringify([engine, cohort ?? '', judgedBy ?? '']);
}

/**
 * A run judged by a version that did not store whether its prompt names a competitor counts as if it named
 * none.
 */
function promptKey({ prompt_id: id, names_competitor: names }: CountedKey): string {
  return `${id ?? ''} ${names === true || names === 1 ? 1 : 0}`;
}

function packed({ subjects, prompts }: Pick<RunCounts, 'subjects' | 'prompts'>): string {
  return JSON.stringify({ subjects, prompts });
}

function unpacked(counts: string): Pick<RunCounts, 'subjects' | 'prompts'> {
  const value: unknown = JSON.parse(counts);
  if (isPacked(value)) return value;
  throw new TypeError('A row of run_counts is damaged');
}

/** Only this module writes the column, and checking every number would take longer than adding them up. */
function isPacked(value: unknown): value is Pick<RunCounts, 'subjects' | 'prompts'> {
  return typeof value === 'object' && value !== null && 'subjects' in value && 'prompts' in value;
}
