import type { Surface } from '@overheard/contract';
import { sql } from 'kysely';
import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import { addDays, endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { isOfSurface } from '../queries/surface-filter.ts';
import { pad } from '../chunks.ts';
import type { DataTables } from '../schema.ts';
import { createUnpacker, packCounts } from './packed-counts.ts';
import type { CountColumns, NamesOfCounts } from './packed-counts.ts';
import { marksOf } from './run-marks.ts';

/** Counted runs of one UTC day, engine, cohort and set of subjects: one row of `run_counts`. */
export interface RunCounts extends CountColumns {
  readonly date: string;
  readonly engine: string;
  readonly cohort: string;
  /** The set of subjects that judged the runs; empty if unknown. */
  readonly judged_by: string;
  /** Neighbouring rows with the same names share this object. */
  readonly names: NamesOfCounts;
}

/** The days to count, both included, and the engines. */
export interface CountedDays {
  readonly from: string;
  readonly to: string;
  readonly engine?: string | undefined;
  readonly surface?: Surface | undefined;
}

/** Selects the counted runs: answered runs of prompts that don't name the brand. */
export function countedRuns(db: Kysely<DataTables>, workspaceId: string) {
  return db
    .selectFrom('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.outcome', '=', 'answered')
    .where('runs.branded', '=', false);
}

/** A day of one engine. */
interface EngineDay {
  readonly date: string;
  readonly engine: string;
}

/**
 * Updates the counts of some engine days from their runs and detections, in the transaction that
 * changed them. One row has all prompts of a day. A row for each prompt and subject would take 30
 * times the space, and more than a second to add up 28 days of 500 prompts. See
 * docs/decisions/packed-counts.md. Returns whether a row changed.
 */
export async function deriveRunCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly EngineDay[],
): Promise<boolean> {
  let hasChanged = false;
  for (const [date, ofDate] of Map.groupBy(days, (day) => day.date)) {
    const engines = pad([...new Set(ofDate.map(({ engine }) => engine))]);
    const counted = new Map(
      (await countRuns(transaction, workspaceId, { date, engines })).map((row) => [
        keyOf(row),
        { row, counts: packCounts(row) },
      ]),
    );
    const stored = await ofDay(transaction, workspaceId, { date, engines })
      .select(['engine', 'cohort', 'judged_by', 'counts'])
      .execute();
    const isSame =
      stored.length === counted.size &&
      stored.every((row) => isEqual(counted.get(keyOf(row))?.counts, row.counts));
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

/**
 * Reads stored counts, some days at a time, oldest first. Days without counted runs have no row.
 */
export async function* readRunCounts(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, engine, surface }: CountedDays,
): AsyncGenerator<readonly RunCounts[]> {
  const unpack = createUnpacker();
  // Read a few days at a time, so that the event loop is never busy for long.
  for (let first = from; first <= to; first = addDays(first, daysAtOnce)) {
    const last = addDays(first, daysAtOnce - 1);
    const rows = await db
      .selectFrom('run_counts')
      .select(['date', 'engine', 'cohort', 'judged_by', 'counts'])
      .where('workspace_id', '=', workspaceId)
      .where('date', '>=', first)
      .where('date', '<=', last < to ? last : to)
      .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
      .$if(surface !== undefined, (query) => query.where(isOfSurface(surface)))
      .orderBy('date')
      .orderBy('engine')
      .orderBy('cohort')
      .orderBy('judged_by')
      .execute();
    if (rows.length === 0) continue;
    yield rows.map(({ counts, ...row }) => ({ ...row, ...unpack(keyOf(row), counts) }));
  }
}

const daysAtOnce = 7;

/** Compares bytes, because those of the driver and those made here differ only in their class. */
function isEqual(counted: Uint8Array | undefined, stored: Uint8Array): boolean {
  return counted !== undefined && Buffer.compare(counted, stored) === 0;
}

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
  return gatherCounts(date, runs, cited);
}

/** Selects sums of counted runs and of their citations, grouped by the key of one row of counts. */
export async function selectSums<Selected>(
  counted: SelectQueryBuilder<DataTables, 'runs', Selected>,
  workspaceId: string,
) {
  const grouped = counted
    .select(['engine', 'cohort', 'judged_by', 'prompt_id', 'names_competitor', 'searched'])
    .groupBy(['engine', 'cohort', 'judged_by', 'prompt_id', 'names_competitor', 'searched']);
  const runs = await grouped.select(({ fn }) => fn.countAll<number>().as('runs')).execute();
  const cited = await grouped
    .innerJoin('detections', (join) =>
      join
        .on('detections.workspace_id', '=', workspaceId)
        .onRef('detections.run_id', '=', 'runs.id'),
    )
    .where('detections.cited', '=', true)
    .select(({ fn, exists, selectFrom }) => [
      'subject_id',
      fn.countAll<number>().as('cited'),
      sql<number>`cast(sum(case when position is null then 0 else 1 end) as integer)`.as('named'),
      sql<number>`cast(sum(case when url is null then 0 else 1 end) as integer)`.as('linked'),
      sql<number>`cast(sum(coalesce(rank, 0)) as integer)`.as('rank_sum'),
      sql<number>`cast(sum(case when ${exists(
        selectFrom('detections as ours')
          .select('ours.id')
          .where('ours.workspace_id', '=', workspaceId)
          .whereRef('ours.run_id', '=', 'runs.id')
          .where('ours.subject_type', '=', 'brand')
          .where('ours.cited', '=', true),
      )} then 1 else 0 end) as integer)`.as('with_brand'),
    ])
    .groupBy('subject_id')
    .execute();
  return { runs, cited };
}

type Sums = Awaited<ReturnType<typeof selectSums>>;
type RunSums = Sums['runs'][number];
type SubjectSums = Sums['cited'][number];

/** Groups counts into rows of the table. The order of rows depends only on their content. */
export function gatherCounts(
  date: string,
  runs: readonly RunSums[],
  cited: readonly SubjectSums[],
): RunCounts[] {
  const citedOf = Map.groupBy(cited, keyOf);
  return [...Map.groupBy(runs, keyOf)].map(([key, group]) => {
    const { engine, cohort, judged_by } = group[0] ?? { engine: '', cohort: '', judged_by: '' };
    const counts = columnsOf(group, citedOf.get(key) ?? []);
    return { date, engine, cohort: cohort ?? '', judged_by: judged_by ?? '', ...counts };
  });
}

function columnsOf(
  runs: readonly RunSums[],
  cited: readonly SubjectSums[],
): CountColumns & { readonly names: NamesOfCounts } {
  const subjects = [...new Set(cited.map(subjectKey))].toSorted();
  const citedOf = Map.groupBy(cited, promptKey);
  const prompts = [...Map.groupBy(runs, promptKey)].toSorted(byKey).map(([key, rows]) => ({
    key,
    runs: rows.reduce((sum, row) => sum + row.runs, 0),
    cited: [...Map.groupBy(citedOf.get(key) ?? [], subjectKey)].toSorted(byKey),
  }));
  const ofSubjects = prompts.flatMap((prompt) => prompt.cited);
  const sums = (
    field: keyof SubjectSums & ('cited' | 'named' | 'linked' | 'rank_sum' | 'with_brand'),
  ) => ofSubjects.map(([, rows]) => rows.reduce((sum, row) => sum + row[field], 0));
  return {
    names: { subjects, prompts: prompts.map(({ key }) => key.slice(0, -3)) },
    marks: prompts.map(({ key }) => Number(key.slice(-2))),
    runs: prompts.map((prompt) => prompt.runs),
    subjectCount: prompts.map((prompt) => prompt.cited.length),
    subject: ofSubjects.map(([subject]) => subjects.indexOf(subject)),
    cited: sums('cited'),
    named: sums('named'),
    linked: sums('linked'),
    rankSum: sums('rank_sum'),
    withBrand: sums('with_brand'),
  };
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function subjectKey({ subject_id: id }: SubjectSums): string {
  return id ?? '';
}

function keyOf({
  engine,
  cohort,
  judged_by: judgedBy,
}: Pick<RunSums, 'engine' | 'cohort' | 'judged_by'>): string {
  return JSON.stringify([engine, cohort ?? '', judgedBy ?? '']);
}

/** Runs of a prompt that differ in what is known of them are counted apart. */
function promptKey(run: Omit<RunSums, 'runs'>): string {
  return `${run.prompt_id ?? ''} ${String(marksOf(run)).padStart(2, '0')}`;
}
