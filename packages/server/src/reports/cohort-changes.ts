import { addDays, endOfDay, startOfDay } from '../values/time/utc-day.ts';
import type { ReportSource } from './report-source.ts';
import type { Period } from './shares/windows.ts';

/** A day on which an engine began to answer in a way that its counted answers before did not have. */
export interface CohortChange {
  readonly engine: string;
  readonly date: string;
  /** `model`: another model was served. `asking`: tool, options, place or reading rule differ. */
  readonly kind: 'model' | 'asking';
  /**
   * Models as served: `models` are new on the day, `modelsBefore` served the day before with
   * counted answers.
   */
  readonly models: readonly string[];
  readonly modelsBefore: readonly string[];
}

/** An engine that was silent for longer begins again: nothing says what changed when. */
const silenceDaysMax = 92;

/**
 * The days on which answers of an engine stop being comparable with those before, by day, then engine:
 * marks for reports and charts. Answers of different locales are never compared, so a locale that is new
 * isn't a change.
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

interface CohortDay {
  readonly date: string;
  readonly engine: string;
  readonly cohort: string;
}

function readDays(
  { db, workspaceId }: ReportSource,
  { from, to, engine }: Period & { readonly engine: string | undefined },
): Promise<CohortDay[]> {
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

/** What one run of each cohort says of it: all others say the same. */
async function readCohorts(
  { db, workspaceId }: ReportSource,
  days: readonly CohortDay[],
): Promise<ReadonlyMap<string, { readonly model: string | null; readonly locale: string }>> {
  const firsts = new Map(days.toReversed().map((day) => [day.cohort, day]));
  const found = new Map<string, { readonly model: string | null; readonly locale: string }>();
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
    if (run !== undefined) found.set(cohort, run);
  }
  return found;
}

interface FoundChange {
  readonly engine: string;
  readonly date: string;
  readonly models: readonly (string | null)[];
  readonly modelsBefore: readonly (string | null)[];
}

/** The changes of one engine and locale. */
function changesIn(
  days: readonly CohortDay[],
  modelOf: (cohort: string) => string | null,
): FoundChange[] {
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
