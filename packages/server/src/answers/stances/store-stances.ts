import type { Selectable, Transaction } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeWorkspace } from '../../storage/write.ts';
import type { Presentation } from './rules.ts';

/** The stances of one answer. */
export interface JudgedAnswer {
  readonly runId: string;
  /** The engine of the judge. */
  readonly judge: string;
  /** As served; null if rules alone judged. */
  readonly model: string | null;
  /** The version of the question. */
  readonly version: number;
  /** Undefined for a subject whose row is void. */
  readonly subjects: ReadonlyArray<{
    readonly id: string;
    readonly isByRule: boolean;
    readonly presentation: Presentation | undefined;
  }>;
}

const sentiments = {
  first_choice: 'positive',
  recommended_for: 'positive',
  also: 'neutral',
  plain: 'neutral',
  mixed: null,
  advised_against: 'negative',
  unknown_to_engine: null,
} as const;

/**
 * Stores stances with the sentiments that follow, and draws a new revision, in one transaction. The
 * first of a judge replace all of an earlier one or an earlier version, because nothing mixes two judges. Leaves out runs that are gone. A quote that the stored answer
 * does not have makes its row void.
 */
export async function storeStances(
  store: Store,
  workspaceId: string,
  answers: readonly JudgedAnswer[],
  { clock }: { clock: () => number },
): Promise<{ readonly judged: number; readonly void: number }> {
  const empty = { judged: 0, void: 0 };
  if (answers.length === 0) return empty;
  const at = new Date(clock()).toISOString();
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const stored = await readAnswers(
      transaction,
      workspaceId,
      answers.map(({ runId }) => runId),
    );
    const rows = answers.flatMap(({ runId, judge, model, version, subjects }) => {
      const run = stored.get(runId);
      if (run === undefined) return [];
      return subjects.map(({ id, isByRule, presentation }) => {
        const isThere = presentation !== undefined && run.answer.includes(presentation.quote);
        const { stance, purpose, quote } = isThere ? presentation : voidRow;
        return {
          run_id: runId,
          subject_id: id,
          stance,
          purpose,
          quote,
          judge,
          model,
          version,
          by_rule: isByRule && isThere,
          judged_at: at,
          sentiment: stance === null ? null : sentiments[stance],
        };
      });
    });
    for (const row of rows) {
      await transaction
        .insertInto('stances')
        .values({ workspace_id: workspaceId, ...row })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'run_id', 'subject_id']).doUpdateSet(row),
        )
        .execute();
    }
    const days = [
      ...rows.map(({ run_id: runId }) => stored.get(runId)?.runAt ?? ''),
      ...(rows[0] === undefined ? [] : await removeOthers(transaction, workspaceId, rows[0])),
    ];
    await noteChanges(transaction, workspaceId, { answers: days, detections: days });
    const isVoid = rows.filter(({ stance }) => stance === null).length;
    return { hasChanged: rows.length > 0, judged: rows.length - isVoid, void: isVoid };
  });
}

/** Removes the stances of earlier judges, and returns the moments of their runs. */
async function removeOthers(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { judge, version }: Pick<Selectable<DataTables['stances']>, 'judge' | 'version'>,
): Promise<string[]> {
  const others = await transaction
    .selectFrom('stances')
    .innerJoin('runs', (join) =>
      join.on('runs.workspace_id', '=', workspaceId).onRef('runs.id', '=', 'stances.run_id'),
    )
    .select('run_at')
    .distinct()
    .where('stances.workspace_id', '=', workspaceId)
    .where((is) => is.or([is('judge', '<>', judge), is('version', '<>', version)]))
    .execute();
  if (others.length === 0) return [];
  await transaction
    .deleteFrom('stances')
    .where('workspace_id', '=', workspaceId)
    .where((is) => is.or([is('judge', '<>', judge), is('version', '<>', version)]))
    .execute();
  return others.map(({ run_at: at }) => at);
}

const voidRow = { stance: null, purpose: null, quote: null };

interface StoredAnswer {
  readonly answer: string;
  readonly runAt: string;
}

async function readAnswers(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, StoredAnswer>> {
  const ids = pad(runIds);
  const rows = await transaction
    .selectFrom('answers')
    .innerJoin('runs', (join) =>
      join.on('runs.workspace_id', '=', workspaceId).onRef('runs.id', '=', 'answers.run_id'),
    )
    .select(['run_id', 'answer', 'run_at'])
    .where('answers.workspace_id', '=', workspaceId)
    .where('run_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ run_id: id, answer, run_at: runAt }) => [id, { answer, runAt }]));
}
