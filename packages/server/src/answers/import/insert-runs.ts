import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import type { CountedRange } from '../../values/counted-range.ts';
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
    return {
      answer,
      asked: promptText,
      cohort: answer.cohort ?? importedCohort({ ...answer, locale }),
      judgedBy: judge.subjectSet.id,
      facts: judge.judgePrompt(prompt),
      sites,
      range,
      stored,
    };
  });
  await writeRuns(store, transaction, workspaceId, { judged, importId });
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

interface JudgedAnswer {
  readonly answer: Answer;
  /** The prompt's text, as it was asked. */
  readonly asked: string;
  readonly cohort: string;
  /** The hash of the set of subjects. */
  readonly judgedBy: string;
  readonly facts: PromptFacts;
  readonly sites: readonly string[];
  readonly range: CountedRange;
}

async function writeRuns(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { judged, importId }: { judged: readonly JudgedAnswer[]; importId: number | null },
): Promise<void> {
  const runs = judged.map(({ answer, facts, cohort, judgedBy }) => ({
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
    cohort,
    judged_by: judgedBy,
    searched: answer.searched,
    import_id: importId,
  }));
  const texts = judged.map(({ answer, asked: promptText, sites, range }) => ({
    workspace_id: workspaceId,
    run_id: answer.id,
    asked: promptText,
    answer: answer.answer,
    sources: JSON.stringify(answer.sources),
    sites: JSON.stringify(sites),
    queries: answer.queries && JSON.stringify(answer.queries),
    ...range,
  }));
  await rowStatement(transaction, (rows: Readonly<typeof runs>) =>
    transaction.insertInto('runs').values(rows).compile(),
  )(runs);
  await rowStatement(transaction, (rows: Readonly<typeof texts>) =>
    transaction.insertInto('answers').values(rows).compile(),
  )(texts);
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
): Promise<
  Map<string, { readonly text: string; readonly language: string; readonly locale: string }>
> {
  const ids = [...new Set(answers.map(({ promptId }) => promptId))];
  const prompts = await transaction
    .selectFrom('prompts')
    .select(['id', 'text', 'language', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad(ids))
    .execute();
  return new Map(prompts.map(({ id, ...prompt }) => [id, prompt]));
}
