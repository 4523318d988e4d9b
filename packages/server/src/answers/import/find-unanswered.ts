import type { Transaction } from 'kysely';
import type { Faults } from '../../rows/fault.ts';
import type { DataTables } from '../../storage/schema.ts';
import { contentRunId } from '../run-identity.ts';
import { momentKey, readRunsAtMoments } from './runs-at-moments.ts';
import type { StagedRow } from '../../storage/staging/staging.ts';
import type { Answer } from './answer.ts';

/** Rows of a file that are compared with the stored runs. */
export interface ComparedBatch {
  readonly batch: readonly StagedRow<Answer>[];
  /** Whether the file has a row of this run. */
  readonly isGiven: (runId: string) => boolean;
  /** Called with each refused row. */
  readonly faults: Faults;
}

/** Most runs that one fault names. */
const shownMax = 3;

/**
 * Reports to `faults` the rows of a batch that may be the answers of stored runs under other ids,
 * which were imported with only their detections. Such a run would count twice. A row with its own
 * id is accepted as a different run.
 */
export async function findUnanswered(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { batch, isGiven, faults }: ComparedBatch,
): Promise<ReadonlySet<StagedRow<Answer>>> {
  const doubtful = new Set<StagedRow<Answer>>();
  const unanswered = await readRunsAtMoments(transaction, workspaceId, {
    answers: batch.map(({ content }) => content),
    isAnswered: false,
  });
  if (unanswered.size === 0) return doubtful;
  for (const row of batch) {
    const { line, content: answer } = row;
    // Leave out runs that another row of the file has the answer of.
    const runs = (unanswered.get(momentKey(answer)) ?? []).filter(({ id }) => !isGiven(id));
    if (runs.length === 0 || answer.id !== contentRunId(answer)) continue;
    const ids = runs
      .map(({ id }) => id)
      .toSorted()
      .slice(0, shownMax);
    doubtful.add(row);
    const expected = `the id of the run that this answers: ${ids.join(' or ')} was imported with its detections, of the same prompt, engine and run_at; or an id of its own`;
    faults.add({ line, field: 'id', expected });
  }
  return doubtful;
}
