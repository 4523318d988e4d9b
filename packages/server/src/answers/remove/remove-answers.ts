import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { rederive } from '../actions/rederive.ts';
import type { Rederivation } from '../actions/rederive.ts';
import { removeRuns } from './remove-runs.ts';
import type { RemovedRuns } from './remove-runs.ts';

/** Selects the answers to remove. An answer must match every given field. */
export interface AnswerChoice {
  /** At most a thousand ids. */
  readonly runIds?: readonly string[] | undefined;
  /** The import that created the runs. */
  readonly importId?: number | undefined;
  readonly engine?: string | undefined;
  /** UTC days, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What removing answers did, or would do. */
export interface AnswerRemoval extends RemovedRuns {
  readonly hasChanged: boolean;
  readonly actions: Rederivation;
}

/**
 * Removes answers with their runs and detections, and derives scores, report counts and actions
 * again, in one transaction. Keeps their prompts, and runs without an answer.
 */
export async function removeAnswers(
  store: Store,
  {
    workspaceId,
    choice,
    isDryRun = false,
    clock,
  }: {
    workspaceId: string;
    choice: AnswerChoice;
    isDryRun?: boolean;
    /** Milliseconds since 1970. */
    clock: () => number;
  },
): Promise<AnswerRemoval> {
  return writeOrTry(store, workspaceId, {
    isDryRun,
    write: async (transaction) => {
      const { result, actions } = await rederive(transaction, workspaceId, {
        nowMs: clock(),
        remove: () => removeRuns(transaction, workspaceId, isChosen(choice)),
      });
      return { hasChanged: result.runs > 0, ...result, actions };
    },
  });
}

function isChosen({ runIds, importId, engine, from, to }: AnswerChoice): RawBuilder<SqlBool> {
  const conditions = [sql`runs.outcome is not null`];
  if (runIds !== undefined) conditions.push(sql`runs.id in (${sql.join(pad(runIds))})`);
  if (importId !== undefined) conditions.push(sql`runs.import_id = ${importId}`);
  if (engine !== undefined) conditions.push(sql`runs.engine = ${engine}`);
  if (from !== undefined) conditions.push(sql`runs.run_at >= ${startOfDay(from)}`);
  if (to !== undefined) conditions.push(sql`runs.run_at < ${endOfDay(to)}`);
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
