import { readRunsById } from '../../answers/read-stored-runs.ts';
import { readVerdicts } from '../../answers/stances/read-verdict.ts';
import { storeStances } from '../../answers/stances/store-stances.ts';
import type { JudgedAnswer } from '../../answers/stances/store-stances.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { readStored } from '../ledger/stored-answer.ts';
import { parseAsked } from './stance-question.ts';

/** Most answers in one transaction. Other writers of the workspace wait for it. */
const answersMax = 100;

/** The rows that were written. */
export interface StoredStances {
  readonly judged: number;
  readonly void: number;
}

/**
 * Stores the stances of finished judgements from their kept responses. Doing it again changes
 * nothing more.
 */
export async function handOverJudgements(
  store: Store,
  ledger: Ledger,
  { workspaceId, clock }: { workspaceId: string; clock: () => number },
): Promise<StoredStances> {
  let count: StoredStances = { judged: 0, void: 0 };
  for (;;) {
    const rows = await ledger.db
      .selectFrom('judgements')
      .innerJoin('bodies', (join) =>
        join
          .on('bodies.workspace_id', '=', workspaceId)
          .onRef('bodies.reading_id', '=', 'judgements.id'),
      )
      .select(['id', 'run_id', 'engine', 'model', 'asked'])
      .select(['status', 'request', 'response', 'earlier'])
      .where('judgements.workspace_id', '=', workspaceId)
      .where('state', '=', 'done')
      .where('handed_at', 'is', null)
      .orderBy('id')
      .limit(answersMax)
      .execute();
    if (rows.length === 0) return count;
    const runs = await readRunsById(
      store.reader,
      workspaceId,
      rows.map(({ run_id: runId }) => runId),
    );
    const answers = new Map(runs.map((run) => [run.id, run.answer]));
    const judged = rows.map(
      ({ id: questionId, run_id: runId, engine, model, asked, ...bodies }): JudgedAnswer => {
        const { kind, version, subjects } = parseAsked(asked);
        const { text } = readStored({ kind, ...bodies });
        const shown = subjects.map(({ pieces }) => pieces);
        const verdicts = readVerdicts(text, answers.get(runId) ?? '', {
          questionId,
          shown,
        });
        return {
          runId,
          judge: engine,
          model,
          version,
          subjects: subjects.map(({ id }, place) => ({
            id,
            isByRule: false,
            presentation: verdicts[place],
          })),
        };
      },
    );
    const stored = await storeStances(store, workspaceId, judged, { clock });
    count = { judged: count.judged + stored.judged, void: count.void + stored.void };
    const handedAt = new Date(clock()).toISOString();
    const ids = rows.map(({ id }) => id);
    await ledger.write((transaction) =>
      transaction
        .updateTable('judgements')
        .set({ handed_at: handedAt })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', ids)
        .execute(),
    );
  }
}
