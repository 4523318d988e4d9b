import type { Transaction } from 'kysely';
import { findDifference } from '../../rows/difference.ts';
import { shown } from '../../rows/fault.ts';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { parseStoredSources } from '../../storage/queries/stored-sources.ts';
import type { Answer } from './answer.ts';
import { findUnanswered } from './find-unanswered.ts';
import type { ComparedBatch } from './find-unanswered.ts';
import { toComparable } from './comparable-answer.ts';
import type { ComparableAnswer } from './comparable-answer.ts';

/** The part of a batch that must be written. */
export interface ChangedAnswers {
  /** Answers that are not stored yet. */
  readonly fresh: readonly Answer[];
  /** Ids of those answers whose runs were imported with only their detections. */
  readonly adopted: readonly string[];
}

/**
 * Finds the answers of a batch that are not stored yet. Reports a stored run with different content
 * to `faults`, because an answer that an engine gave does not change later.
 */
export async function findChanged(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { batch, isGiven, faults }: ComparedBatch,
): Promise<ChangedAnswers> {
  const stored = await readRuns(
    transaction,
    workspaceId,
    batch.map(({ key }) => key),
  );
  const unknown = batch.filter(({ key }) => !stored.has(key));
  const doubtful = await findUnanswered(transaction, workspaceId, {
    batch: unknown,
    isGiven,
    faults,
  });
  const fresh = unknown.filter((row) => !doubtful.has(row)).map(({ content }) => content);
  const adopted: string[] = [];
  for (const { line, content: answer } of batch) {
    const before = stored.get(answer.id);
    const difference = before && findDifference(before.content, toComparable(answer));
    if (difference !== undefined) {
      const expected = `${shown(difference.before)} as it is stored for the run ${answer.id}; give this answer an id of its own, or a finer run_at`;
      faults.add({ line, field: difference.field, expected, found: difference.now });
    } else if (before?.isAnswered === false) {
      fresh.push(answer);
      adopted.push(answer.id);
    }
  }
  return { fresh, adopted };
}

interface StoredRun {
  /** False if the run was imported with only its detections. */
  readonly isAnswered: boolean;
  readonly content: ComparableAnswer;
}

/** Stored runs by id. */
async function readRuns(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, StoredRun>> {
  const rows = await transaction
    .selectFrom('runs')
    .leftJoin('answers', (join) =>
      join.on('answers.workspace_id', '=', workspaceId).onRef('answers.run_id', '=', 'runs.id'),
    )
    .select(['runs.id', 'prompt_id', 'engine', 'model', 'run_at', 'outcome'])
    .select(['asked', 'answer', 'sources'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('runs.id', 'in', pad(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, toStoredRun(row)]));
}

interface AnswerRecord {
  readonly prompt_id: string | null;
  readonly engine: string;
  readonly model: string | null;
  readonly run_at: string;
  readonly outcome: Answer['outcome'] | null;
  readonly asked: string | null;
  readonly answer: string | null;
  readonly sources: string | null;
}

function toStoredRun(record: AnswerRecord): StoredRun {
  const { prompt_id, engine, model, run_at, outcome, asked, answer, sources } = record;
  const known = { prompt_id: prompt_id ?? undefined, engine, run_at };
  if (outcome === null || asked === null || answer === null || sources === null) {
    return { isAnswered: false, content: known };
  }
  const list = parseStoredSources(sources);
  const content = { ...known, prompt: asked, model, outcome, answer, sources: list };
  return { isAnswered: true, content };
}
