import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Answer } from './answer.ts';

/** A stored run, without its texts. */
export interface RunAtMoment {
  readonly id: string;
  readonly model: string | null;
}

/** Most runs that one statement reads. A file may have any number of runs at one moment. */
const runsMax = 5000;

/**
 * Reads the stored runs with the prompts, engines and moments of some answers, by `momentKey`:
 * either runs with an answer, or runs that were imported with only their detections.
 */
export async function readRunsAtMoments(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { answers, isAnswered }: { answers: readonly Answer[]; isAnswered: boolean },
): Promise<ReadonlyMap<string, readonly RunAtMoment[]>> {
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
    .where('runs.outcome', isAnswered ? '=' : 'is', isAnswered ? 'answered' : null)
    .select(['runs.id', 'runs.prompt_id', 'runs.engine', 'runs.run_at', 'runs.model'])
    .distinct()
    .limit(runsMax)
    .execute();
  return Map.groupBy(runs, ({ prompt_id: promptId, engine, run_at: runAt }) =>
    momentKey({ promptId: promptId ?? '', engine, runAt }),
  );
}

interface Moment {
  readonly prompt_id: string;
  readonly run_at: string;
}

/** A key that runs of the same prompt, engine and moment share. */
export function momentKey({
  promptId,
  engine,
  runAt,
}: Pick<Answer, 'promptId' | 'engine' | 'runAt'>): string {
  return `${promptId} ${engine} ${runAt}`;
}
