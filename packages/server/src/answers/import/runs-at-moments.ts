import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Answer } from './answer.ts';

/** A stored run, without its texts. */
export interface RunAtMoment {
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
export async function readRunsAtMoments(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  answers: readonly Answer[],
): Promise<RunsAtMoments> {
  if (answers.length === 0) return new Map();
  const moments = pad(answers).map((answer) => sql`(${answer.promptId}, ${answer.runAt})`);
  const runs = await transaction
    .with('asked(prompt_id, run_at)', () => sql<Moment>`(values ${sql.join(moments)})`)
    .selectFrom('asked')
    .innerJoin('runs', (join) =>
      join
        .on('runs.workspace_id', '=', workspaceId)
        .onRef('runs.prompt_id', '=', 'asked.prompt_id')
        .onRef('runs.run_at', '=', 'asked.run_at'),
    )
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

interface Moment {
  readonly prompt_id: string;
  readonly run_at: string;
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
