import { pad } from '../../storage/chunks.ts';
import { countedRuns } from '../../storage/counts/run-counts.ts';
import type { Store } from '../../storage/store.ts';
import { addDays, endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import type { CitationToJudge } from './prepare.ts';
import { stanceVersion } from './question.ts';

/** The answers that a workspace has judged, by which engine. */
export interface JudgingChoice {
  readonly workspaceId: string;
  /** The engine of the judge. */
  readonly judge: string;
  /** Answers of each prompt, engine and ISO week: the earliest. Null for all. */
  readonly sample: number | null;
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
}

/** Lists the answers of the choice that have citations without a row of this judge, newest weeks first. */
export async function listAnswersToJudge(
  store: Pick<Store, 'reader'>,
  choice: JudgingChoice,
): Promise<string[]> {
  const { from, to } = choice;
  const ids: string[] = [];
  for (let monday = mondayOf(to); addDays(monday, 6) >= from; monday = addDays(monday, -7)) {
    const sample = await readSample(store, { ...choice, monday });
    for (let start = 0; start < sample.length; start += idsAtOnce) {
      const slice = sample.slice(start, start + idsAtOnce);
      const citations = await readCitationsToJudge(store, choice, slice);
      ids.push(...slice.filter((id) => citations.has(id)));
    }
  }
  return ids;
}

const idsAtOnce = 512;

function mondayOf(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 6) % 7));
}

async function readSample(
  { reader }: Pick<Store, 'reader'>,
  { workspaceId, sample, monday, from, to }: JudgingChoice & { readonly monday: string },
): Promise<string[]> {
  const runs = await countedRuns(reader, workspaceId)
    .select(['runs.id', 'runs.prompt_id', 'runs.engine', 'runs.run_at'])
    .where('runs.run_at', '>=', startOfDay(monday))
    .where('runs.run_at', '<', endOfDay(addDays(monday, 6)))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('detections')
          .innerJoin('subjects', (join) =>
            join
              .on('subjects.workspace_id', '=', workspaceId)
              .onRef('subjects.id', '=', 'detections.subject_id')
              .on('subjects.archived_at', 'is', null),
          )
          .select('detections.id')
          .where('detections.workspace_id', '=', workspaceId)
          .whereRef('detections.run_id', '=', 'runs.id')
          .where('detections.cited', '=', true),
      ),
    )
    .orderBy('runs.run_at')
    .orderBy('runs.id')
    .execute();
  const counts = new Map<string, number>();
  return runs.flatMap(({ id, prompt_id: prompt, engine, run_at: runAt }) => {
    const group = `${engine} ${prompt}`;
    const count = (counts.get(group) ?? 0) + 1;
    counts.set(group, count);
    // The sample is that of the whole week, so that it does not move with the period.
    const isIn = runAt >= startOfDay(from) && runAt < endOfDay(to);
    return isIn && count <= (sample ?? Infinity) ? [id] : [];
  });
}

/** The citations of runs that have no row of this judge, by run. Leaves out removed subjects. */
export async function readCitationsToJudge(
  { reader }: Pick<Store, 'reader'>,
  { workspaceId, judge }: Pick<JudgingChoice, 'workspaceId' | 'judge'>,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CitationToJudge[]>> {
  const rows = await reader
    .selectFrom('detections')
    .innerJoin('subjects', (join) =>
      join
        .on('subjects.workspace_id', '=', workspaceId)
        .onRef('subjects.id', '=', 'detections.subject_id')
        .on('subjects.archived_at', 'is', null),
    )
    .leftJoin('stances', (join) =>
      join
        .on('stances.workspace_id', '=', workspaceId)
        .onRef('stances.run_id', '=', 'detections.run_id')
        .onRef('stances.subject_id', '=', 'detections.subject_id')
        .on('stances.judge', '=', judge)
        .on('stances.version', '=', stanceVersion),
    )
    .select(['detections.run_id', 'subjects.id as subject', 'position', 'url'])
    .where('detections.workspace_id', '=', workspaceId)
    .where('detections.run_id', 'in', pad(runIds))
    .where('detections.cited', '=', true)
    // A subject that only a source shows has no sentence, and nothing says how it is presented.
    .where('detections.sentence', 'is not', null)
    .where('stances.run_id', 'is', null)
    .orderBy('detections.rank')
    .orderBy('subjects.id')
    .execute();
  const citations = rows.map(({ run_id: runId, subject, position, url }) => ({
    runId,
    subjectId: subject,
    position,
    url,
  }));
  return Map.groupBy(citations, ({ runId }) => runId);
}
