import type { Store } from '../../storage/store.ts';
import { toUsd } from './micros.ts';
import { readStored } from './stored-answer.ts';

/** What the cost of an answer rests on, for a person to read. */
export const costBasisWords = {
  reported: 'as the engine reports it',
  computed: 'by its use and the price list',
  bound: 'the most it may cost, because its cost is unknown',
} as const;

/** The ledger's facts about an answer that Overheard asked for itself. */
export type AnswerEvidence = NonNullable<Awaited<ReturnType<typeof readAnswerEvidence>>>;

/** A mark that changes with the evidence of a run, because the workspace's revision does not. */
export async function evidenceMark(
  store: Store,
  workspaceId: string,
  runId: string,
): Promise<unknown> {
  const stored = selectEvidence(await store.ledger(), workspaceId, runId);
  return stored?.select(['cost_micros', 'cost_basis']).executeTakeFirst();
}

/** Reads the evidence of a run; undefined if its answer was imported. */
export async function readAnswerEvidence(store: Store, workspaceId: string, runId: string) {
  const row = await selectEvidence(await store.ledger(), workspaceId, runId)
    ?.select(['kind', 'status', 'request', 'response', 'earlier'])
    .select(['model', 'searches', 'cost_micros', 'cost_basis'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { retrieved } = readStored(row);
  return {
    /** As served. */
    model: row.model,
    /** Number of searches; null if the engine does not report it. */
    searches: row.searches,
    /** The pages that the engine read, cited ones included. */
    retrieved,
    costUsd: toUsd(row.cost_micros ?? 0),
    costBasis: row.cost_basis ?? ('bound' as const),
  };
}

function selectEvidence(
  ledger: Awaited<ReturnType<Store['ledger']>>,
  workspaceId: string,
  runId: string,
) {
  return ledger?.db
    .selectFrom('readings')
    .innerJoin('bodies', (join) =>
      join
        .on('bodies.workspace_id', '=', workspaceId)
        .onRef('bodies.reading_id', '=', 'readings.id'),
    )
    .where('readings.workspace_id', '=', workspaceId)
    .where('readings.id', '=', runId)
    .where('state', '=', 'done');
}
