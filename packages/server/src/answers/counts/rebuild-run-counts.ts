import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { deriveRunCounts } from '../../storage/counts/run-counts.ts';
import { deriveSourceCounts } from '../../storage/counts/source-counts.ts';
import { noteAllAnswers } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import { contentId, importedCohort } from '../../values/uuid.ts';
import { keepSubjectSet } from '../subjects.ts';

const runsAtOnce = 1024;

/** Updates all counts of runs. Returns whether any count changed. */
export async function rebuildRunCounts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<boolean> {
  await addCohorts(transaction, workspaceId);
  await addSubjectSets(transaction, workspaceId);
  const date = sql<string>`substr(run_at, 1, 10)`;
  const days = await transaction
    .selectFrom('runs')
    .select([date.as('date'), 'engine'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('outcome', '=', 'answered')
    .execute();
  const stored = await transaction
    .selectFrom('run_counts')
    .select(['date', 'engine'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .execute();
  const all = [...days, ...stored];
  const hasRuns = await deriveRunCounts(transaction, workspaceId, all);
  return (await deriveSourceCounts(transaction, workspaceId, all)) || hasRuns;
}

/** Runs that an older version imported have no cohort yet. */
async function addCohorts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  const groups = await transaction
    .selectFrom('runs')
    .innerJoin('prompts', (join) =>
      join.on('prompts.workspace_id', '=', workspaceId).onRef('prompts.id', '=', 'prompt_id'),
    )
    .select(['engine', 'model', 'locale'])
    .distinct()
    .where('runs.workspace_id', '=', workspaceId)
    .where('outcome', 'is not', null)
    .where('cohort', 'is', null)
    .execute();
  if (groups.length > 0) await noteAllAnswers(transaction, workspaceId);
  for (const group of groups) {
    const { engine, model, locale } = group;
    await transaction
      .updateTable('runs')
      .set({ cohort: importedCohort(group) })
      .where('workspace_id', '=', workspaceId)
      .where('engine', '=', engine)
      .where('model', model === null ? 'is' : '=', model)
      .where('outcome', 'is not', null)
      .where('cohort', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('prompts')
            .select('id')
            .where('prompts.workspace_id', '=', workspaceId)
            .whereRef('prompts.id', '=', 'runs.prompt_id')
            .where('locale', '=', locale),
        ),
      )
      .execute();
  }
}

/**
 * Runs that an older version judged have one detection for each subject of that time. The subjects'
 * words are not known, so their hash is empty.
 */
async function addSubjectSets(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  for (let last = ''; ;) {
    const runs = await transaction
      .selectFrom('runs')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('outcome', 'is not', null)
      .where('judged_by', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(runsAtOnce)
      .execute();
    last = runs.at(-1)?.id ?? '';
    if (last === '') return;
    const detections = await transaction
      .selectFrom('detections')
      .select(['run_id', 'subject_id'])
      .where('workspace_id', '=', workspaceId)
      .where('run_id', 'in', pad(runs.map(({ id }) => id)))
      .orderBy('subject_id')
      .execute();
    const subjectsOf = Map.groupBy(detections, (row) => row.run_id);
    const sets = Map.groupBy(runs, ({ id }) =>
      (subjectsOf.get(id) ?? []).map((row) => row.subject_id).join(' '),
    );
    for (const [subjects, ofSet] of sets) {
      const ids = subjects === '' ? [] : subjects.split(' ');
      const set = {
        id: contentId('subjects', ids),
        subjects: ids.map((id): readonly [string, string] => [id, '']),
      };
      await keepSubjectSet(transaction, workspaceId, set);
      await transaction
        .updateTable('runs')
        .set({ judged_by: set.id })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', pad(ofSet.map(({ id }) => id)))
        .execute();
    }
  }
}
