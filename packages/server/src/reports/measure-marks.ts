import { endOfDay, startOfDay } from '../values/time/utc-day.ts';
import { plural } from '../values/plural.ts';
import { readCohortChanges } from './cohort-changes.ts';
import type { CohortChange } from './cohort-changes.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** A day on which the measure changed, with what happened. */
export interface MeasureMark {
  readonly date: string;
  readonly words: string;
}

/** Reads the days from which figures measure something else, by day. */
export async function readMeasureMarks(
  source: ReportSource,
  period: Period & { readonly engine?: string | undefined },
): Promise<MeasureMark[]> {
  const cohorts = (await readCohortChanges(source, period)).map((change) => ({
    date: change.date,
    words: cohortWords(change),
  }));
  const marks = [
    ...cohorts,
    ...(await readNewPrompts(source, period)),
    ...(await readNewNames(source, period)),
  ];
  return marks.toSorted((left, right) => (left.date < right.date ? -1 : 1));
}

function cohortWords({ engine, kind, models }: CohortChange): string {
  if (kind === 'asking') return `${engine} is asked or read in another way`;
  return `${engine} began to answer as ${models.length === 0 ? 'another model' : models.join(', ')}`;
}

async function readNewPrompts(
  { db, workspaceId }: ReportSource,
  { from, to }: Period,
): Promise<MeasureMark[]> {
  const rows = await db
    .selectFrom('prompts')
    .select('created_at')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>', endOfDay(from))
    .where('created_at', '<', endOfDay(to))
    .orderBy('created_at')
    .execute();
  const days = Map.groupBy(rows, ({ created_at: at }) => at.slice(0, 10));
  return [...days].map(([date, addedPrompts]) => ({
    date,
    words: `${plural(addedPrompts.length, 'prompt')} added`,
  }));
}

/**
 * Finds the days from which answers were judged by other subjects, because earlier answers were not
 * judged again.
 */
async function readNewNames(
  { db, workspaceId }: ReportSource,
  { from, to }: Period,
): Promise<MeasureMark[]> {
  const rows = await db
    .selectFrom('run_counts')
    .select(['date', 'judged_by'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('date')
    .execute();
  const subjects = await db
    .selectFrom('subjects')
    .select(['name', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '>=', startOfDay(from))
    .orderBy('name')
    .execute();
  let before: readonly string[] = [];
  return [...Map.groupBy(rows, ({ date }) => date)].flatMap(([date, ofDay]) => {
    const last = before;
    before = ofDay.map(({ judged_by: set }) => set);
    if (last.length === 0 || before.every((set) => last.includes(set))) return [];
    const addedSubjects = subjects.filter(({ created_at: at }) => at.slice(0, 10) === date);
    const names = addedSubjects.map(({ name }) => name).join(', ');
    return [{ date, words: names === '' ? 'the tracked names changed' : `${names} is tracked` }];
  });
}
