import { addDays, endOfDay, startOfDay } from '../values/time/utc-day.ts';
import type { ReportSource } from './report-source.ts';
import type { Period } from './shares/windows.ts';

/** A day from which an engine's counted answers cannot be compared with the earlier ones. */
export interface CohortChange {
  readonly engine: string;
  readonly date: string;
  /**
   * `model`: another model answered. `asking`: the tool, options, place or reading rule changed.
   */
  readonly kind: 'model' | 'asking';
  /**
   * The models that answered: `models` are new on the day, and `modelsBefore` answered on the last
   * day before with counted answers.
   */
  readonly models: readonly string[];
  readonly modelsBefore: readonly string[];
}

/**
 * After a longer silence changes of an engine are not reported, because it is unknown when they
 * happened.
 */
const silenceDaysMax = 92;

/**
 * Finds the days from which an engine's answers cannot be compared with earlier ones, by day, then
 * engine. Reports and charts mark them. Answers of different locales are never compared, so a new
 * locale isn't a change.
 */
export async function readCohortChanges(
  source: ReportSource,
  { from, to, engine }: Period & { readonly engine?: string | undefined },
): Promise<CohortChange[]> {
  const days = await readDays(source, { from: addDays(from, -silenceDaysMax), to, engine });
  const cohorts = await readCohorts(source, days);
  const series = Map.groupBy(days, ({ engine: of, cohort }) =>
    JSON.stringify([of, cohorts.get(cohort)?.locale]),
  );
  const changes = [...series.values()].flatMap((ofSeries) =>
    changesIn(ofSeries, (cohort) => cohorts.get(cohort)?.model ?? null),
  );
  const merged = Map.groupBy(
    changes.filter(({ date }) => date >= from),
    ({ date, engine: of }) => `${date} ${of}`,
  );
  return [...merged].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(mergedChange);
}

type CohortDay = Awaited<ReturnType<typeof readDays>>[number];

function readDays(
  { db, workspaceId }: ReportSource,
  { from, to, engine }: Period & { readonly engine: string | undefined },
) {
  return db
    .selectFrom('run_counts')
    .select(['date', 'engine', 'cohort'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(engine !== undefined, (query) => query.where('engine', '=', engine ?? ''))
    .orderBy('date')
    .execute();
}

/** Reads the facts of each cohort from one of its runs, because all its runs have the same. */
async function readCohorts(
  { db, workspaceId }: ReportSource,
  days: readonly CohortDay[],
): Promise<ReadonlyMap<string, { readonly model: string | null; readonly locale: string }>> {
  const firsts = new Map(days.toReversed().map((day) => [day.cohort, day]));
  const cohorts = new Map<string, { readonly model: string | null; readonly locale: string }>();
  for (const [cohort, { date, engine }] of firsts) {
    const run = await db
      .selectFrom('runs')
      .innerJoin('prompts', (join) =>
        join.on('prompts.workspace_id', '=', workspaceId).onRef('prompts.id', '=', 'prompt_id'),
      )
      .select(['model', 'locale'])
      .where('runs.workspace_id', '=', workspaceId)
      .where('run_at', '>=', startOfDay(date))
      .where('run_at', '<', endOfDay(date))
      .where('engine', '=', engine)
      .where('cohort', '=', cohort)
      .limit(1)
      .executeTakeFirst();
    if (run !== undefined) cohorts.set(cohort, run);
  }
  return cohorts;
}

type FoundChange = ReturnType<typeof changesIn>[number];

/** The changes of one engine and locale. */
function changesIn(days: readonly CohortDay[], modelOf: (cohort: string) => string | null) {
  let before: readonly string[] = [];
  return [...Map.groupBy(days, ({ date }) => date)].flatMap(([date, ofDay]) => {
    const last = before;
    before = ofDay.map(({ cohort }) => cohort);
    const fresh = before.filter((cohort) => !last.includes(cohort));
    if (last.length === 0 || fresh.length === 0) return [];
    const { engine = '' } = ofDay[0] ?? {};
    return [{ engine, date, models: fresh.map(modelOf), modelsBefore: last.map(modelOf) }];
  });
}

function mergedChange([, changes]: [string, readonly FoundChange[]]): CohortChange {
  const { engine = '', date = '' } = changes[0] ?? {};
  const isModel = changes.some(({ models, modelsBefore }) =>
    models.some((model) => !modelsBefore.includes(model)),
  );
  const names = (pick: (change: FoundChange) => readonly (string | null)[]) =>
    [
      ...new Set(changes.flatMap((change) => pick(change).flatMap((name) => name ?? []))),
    ].toSorted();
  return {
    engine,
    date,
    kind: isModel ? 'model' : 'asking',
    models: names(({ models }) => models),
    modelsBefore: names(({ modelsBefore }) => modelsBefore),
  };
}
