import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { padded } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Answer } from './answer.ts';

/** A stored run, without its texts. */
export interface RunAtMoment {
  readonly id: string;
  readonly model: string | null;
}

/** Runs of one statement: a file may have any number of them at one moment. */
const runsMax = 5000;

/**
 * Stored runs of the prompts, engines and moments of some answers, by `momentKey`: those that were
 * answered, or those that were imported with their detections alone.
 */
export async function readRunsAtMoments(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { answers, isAnswered }: { answers: readonly Answer[]; isAnswered: boolean },
): Promise<ReadonlyMap<string, readonly RunAtMoment[]>> {
  if (answers.length === 0) return new Map();
  const moments = padded(answers).map((answer) => sql`(${answer.promptId}, ${answer.runAt})`);
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

/** What runs of one prompt and engine at one moment have in common. */
export function momentKey({
  promptId,
  engine,
  runAt,
}: Pick<Answer, 'promptId' | 'engine' | 'runAt'>): string {
  return `${promptId} ${engine} ${runAt}`;
}
