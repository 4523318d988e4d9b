import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { findDifference } from '../../rows/difference.ts';
import { quoteValue } from '../../values/quote-value.ts';
import type { Faults } from '../../rows/fault.ts';
import { pad } from '../../storage/chunks.ts';
import { parseStoredSources } from '../../storage/counts/linked-pages.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { StagedRow } from '../../storage/staging/staging.ts';
import type { Answer } from './answer.ts';
import { contentRunId } from './parse-answer.ts';
import type { AnswerField } from './parse-answer.ts';

/** Rows of a file that are compared with the stored runs. */
interface ComparedBatch {
  readonly batch: readonly StagedRow<Answer>[];
  /** Whether the file has a row of this run. */
  readonly isGiven: (runId: string) => boolean;
  /** Called with each refused row. */
  readonly faults: Faults;
}

/** The part of a batch that must be written. */
export interface ChangedAnswers {
  /** Answers that are not stored yet. */
  readonly fresh: readonly Answer[];
  /** Ids of those answers whose runs were imported with only their detections. */
  readonly adopted: readonly string[];
  /** The stored runs at the moments of the fresh answers. */
  readonly runsAtMoments: RunsAtMoments;
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
  const unanswered = batch.filter(({ key }) => stored.get(key)?.isAnswered !== true);
  const runsAtMoments = await readRunsAtMoments(
    transaction,
    workspaceId,
    unanswered.map(({ content }) => content),
  );
  const unknown = unanswered.filter(({ key }) => !stored.has(key));
  const fresh = unknown
    .filter((row) => !isDoubtful(row, { runsAtMoments, isGiven, faults }))
    .map(({ content }) => content);
  const adopted: string[] = [];
  for (const { line, content: answer } of batch) {
    const before = stored.get(answer.id);
    const difference = before && findDifference(before.content, toComparable(answer));
    if (difference !== undefined) {
      const expected = `${quoteValue(difference.before)} as it is stored for the run ${answer.id}; give this answer an id of its own, or a finer run_at`;
      faults.add({ line, field: difference.field, expected, found: difference.now });
    } else if (before?.isAnswered === false) {
      fresh.push(answer);
      adopted.push(answer.id);
    }
  }
  return { fresh, adopted, runsAtMoments };
}

/** Most runs that one fault names. */
const shownMax = 3;

/**
 * Reports to `faults` a row that may be the answer of a stored run under another id, which was
 * imported with only its detections. Such a run would count twice. A row with its own id is
 * accepted as a different run.
 */
function isDoubtful(
  { line, content: answer }: StagedRow<Answer>,
  {
    runsAtMoments,
    isGiven,
    faults,
  }: Pick<ComparedBatch, 'isGiven' | 'faults'> & { readonly runsAtMoments: RunsAtMoments },
): boolean {
  const ids = (runsAtMoments.get(momentKey(answer)) ?? [])
    // Leave out runs that another row of the file has the answer of.
    .filter(({ id, isAnswered }) => !isAnswered && !isGiven(id))
    .map(({ id }) => id);
  if (ids.length === 0 || answer.id !== contentRunId(answer)) return false;
  const expected = `the id of the run that this answers: ${ids.toSorted().slice(0, shownMax).join(' or ')} was imported with its detections, of the same prompt, engine and run_at; or an id of its own`;
  faults.add({ line, field: 'id', expected });
  return true;
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
  return new Map(
    rows.map(({ id, prompt_id, engine, run_at, ...record }): [string, StoredRun] => {
      const identity = { prompt_id: prompt_id ?? undefined, engine, run_at };
      const { outcome, asked: prompt, answer, sources, model } = record;
      if (outcome === null || prompt === null || answer === null || sources === null) {
        return [id, { isAnswered: false, content: identity }];
      }
      const texts = { prompt, model, outcome, answer, sources: parseStoredSources(sources) };
      return [id, { isAnswered: true, content: { ...identity, ...texts } }];
    }),
  );
}

/** A stored run, without its texts. */
interface RunAtMoment {
  readonly id: string;
  readonly model: string | null;
  /** False if the run was imported with only its detections. */
  readonly isAnswered: boolean;
}

/** Stored runs by `momentKey`. */
export type RunsAtMoments = ReadonlyMap<string, readonly RunAtMoment[]>;

/** Most runs that one statement reads. A file may have any number of runs at one moment. */
const runsMax = 5000;

/**
 * Reads the stored runs with the prompts, engines and moments of some answers: those with an
 * answer, and those that were imported with only their detections.
 */
async function readRunsAtMoments(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  answers: readonly Answer[],
): Promise<RunsAtMoments> {
  if (answers.length === 0) return new Map();
  const moments = pad(answers).map((answer) => sql`(${answer.promptId}, ${answer.runAt})`);
  const runs = await transaction
    .with(
      'asked(prompt_id, run_at)',
      () => sql<Record<'prompt_id' | 'run_at', string>>`(values ${sql.join(moments)})`,
    )
    .selectFrom('asked')
    // For an inner join SQLite would read every run of the workspace and look for it among the
    // moments. https://www.sqlite.org/optoverview.html#crossjoin
    .crossJoin('runs')
    .where('runs.workspace_id', '=', workspaceId)
    .whereRef('runs.prompt_id', '=', 'asked.prompt_id')
    .whereRef('runs.run_at', '=', 'asked.run_at')
    .where((run) => run.or([run('outcome', '=', 'answered'), run('outcome', 'is', null)]))
    .select(['runs.id', 'runs.prompt_id', 'engine', 'runs.run_at', 'model', 'outcome'])
    .distinct()
    .orderBy('outcome', (order) => order.asc().nullsFirst())
    .limit(runsMax)
    .execute();
  return Map.groupBy(
    runs.map(({ outcome, ...run }) => ({ ...run, isAnswered: outcome !== null })),
    ({ prompt_id: promptId, engine, run_at: runAt }) =>
      momentKey({ promptId: promptId ?? '', engine, runAt }),
  );
}

/** Selects the answers that share their moment with another one or with a stored answer. */
export function findCrowded(answers: readonly Answer[], stored: RunsAtMoments): readonly Answer[] {
  const byMoment = Map.groupBy(answers, momentKey);
  return answers.filter((answer) => {
    const key = momentKey(answer);
    const isAlone = byMoment.get(key)?.length === 1;
    return !isAlone || stored.get(key)?.some(({ isAnswered }) => isAnswered) === true;
  });
}

/** A key that runs of the same prompt, engine and moment share. */
export function momentKey({
  promptId,
  engine,
  runAt,
}: Pick<Answer, 'promptId' | 'engine' | 'runAt'>): string {
  return `${promptId} ${engine} ${runAt}`;
}

/** The fields that must be equal in two answers of the same run, under their names in a file. */
export type ComparableAnswer = Readonly<Partial<Record<AnswerField, unknown>>>;

/**
 * Makes a comparable form of an answer of a file. Leaves out the prompt's text if the row has only
 * its id.
 */
export function toComparable(answer: Answer): ComparableAnswer {
  const { promptId, prompt, engine, model, runAt, outcome, answer: text, sources } = answer;
  return {
    prompt_id: promptId,
    prompt: prompt?.text,
    engine,
    model,
    run_at: runAt,
    outcome,
    answer: text,
    sources,
  };
}
