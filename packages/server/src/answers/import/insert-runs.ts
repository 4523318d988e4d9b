import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { importedCohort } from '../../values/uuid.ts';
import type { Answer } from './answer.ts';
import { methodVersion } from '../detection/detect.ts';
import { insertDetections, toStoredDetection } from '../stored-detections.ts';
import type { Judge, PromptFacts } from '../subjects.ts';

/** A run that was written. */
export interface InsertedRun {
  readonly answer: Answer;
  readonly facts: PromptFacts;
  /** Subjects that it cites. */
  readonly cited: number;
}

/**
 * Judges new answers, and writes their runs, texts and detections. Their prompts must be stored
 * already.
 */
export async function insertRuns(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    answers,
    judge,
    importId,
  }: { answers: readonly Answer[]; judge: Judge; importId: number | null },
): Promise<InsertedRun[]> {
  if (answers.length === 0) return [];
  const prompts = await readPrompts(transaction, workspaceId, answers);
  const judged = answers.map((answer) => {
    const storedPrompt = prompts.get(answer.promptId);
    const promptText = answer.prompt?.text ?? storedPrompt?.text;
    if (promptText === undefined) throw new TypeError('A run lacks its prompt');
    const prompt = { asked: promptText, language: storedPrompt?.language };
    const locale = answer.prompt?.locale ?? storedPrompt?.locale ?? '';
    const { detections, sites, range } = judge.judgeAnswer(answer, answer.sources, prompt);
    const stored = detections.map((detection) => toStoredDetection(answer.id, detection));
    const facts = judge.judgePrompt(prompt);
    const run = {
      workspace_id: workspaceId,
      id: answer.id,
      prompt_id: answer.promptId,
      engine: answer.engine,
      run_at: answer.runAt,
      outcome: answer.outcome,
      branded: facts.isBranded,
      names_competitor: facts.namesCompetitor,
      method: methodVersion,
      model: answer.model,
      cohort: answer.cohort ?? importedCohort({ ...answer, locale }),
      judged_by: judge.subjectSet.id,
      searched: answer.searched,
      import_id: importId,
    };
    const text = {
      workspace_id: workspaceId,
      run_id: answer.id,
      asked: promptText,
      answer: answer.answer,
      sources: JSON.stringify(answer.sources),
      sites: JSON.stringify(sites),
      queries: answer.queries && JSON.stringify(answer.queries),
      ...range,
    };
    return { answer, facts, run, text, stored };
  });
  await store.rowStatement(transaction, (rows: ReadonlyArray<(typeof judged)[number]['run']>) =>
    transaction.insertInto('runs').values(rows).compile(),
  )(judged.map(({ run }) => run));
  await store.rowStatement(transaction, (rows: ReadonlyArray<(typeof judged)[number]['text']>) =>
    transaction.insertInto('answers').values(rows).compile(),
  )(judged.map(({ text }) => text));
  const moments = answers.map(({ runAt }) => runAt);
  await noteChanges(transaction, workspaceId, { answers: moments, detections: moments });
  await insertDetections(
    store,
    transaction,
    workspaceId,
    judged.flatMap(({ stored }) => stored),
  );
  return judged.map(({ answer, facts, stored }) => ({
    answer,
    facts,
    cited: stored.filter(({ cited }) => cited).length,
  }));
}

/**
 * Removes runs without answers and their detections, so that they can be written again with their
 * answers.
 */
export async function removeUnansweredRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await transaction
    .deleteFrom('detections')
    .where('workspace_id', '=', workspaceId)
    .where('run_id', 'in', pad(ids))
    .execute();
  await transaction
    .deleteFrom('runs')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad(ids))
    .execute();
}

/**
 * Reads the texts and languages of the answers' prompts, by id. Rows that have only a prompt's id
 * need its text.
 */
async function readPrompts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  answers: readonly Answer[],
) {
  const ids = [...new Set(answers.map(({ promptId }) => promptId))];
  const prompts = await transaction
    .selectFrom('prompts')
    .select(['id', 'text', 'language', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad(ids))
    .execute();
  return new Map(prompts.map(({ id, ...prompt }) => [id, prompt]));
}
