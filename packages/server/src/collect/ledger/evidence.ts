import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Store } from '../../storage/store.ts';
import { engineOfKind } from '../engine-settings.ts';
import type { WebPage } from '../engines/engine.ts';
import { toUsd } from './money.ts';

const unpack = promisify(zstdDecompress);

/** What the ledger knows of an answer that Overheard asked for itself. */
export interface AnswerEvidence {
  /** As served. */
  readonly model: string | null;
  /** Null if the engine does not say. */
  readonly searches: number | null;
  readonly queries: readonly string[];
  /** The pages that the engine read, cited ones included. */
  readonly retrieved: readonly WebPage[];
  readonly costUsd: number;
  readonly costBasis: 'reported' | 'computed' | 'bound';
}

/** The evidence of a run; undefined if its answer was imported. */
export async function readEvidence(
  store: Store,
  workspaceId: string,
  runId: string,
): Promise<AnswerEvidence | undefined> {
  const ledger = await store.ledger();
  const row = await ledger?.db
    .selectFrom('readings')
    .innerJoin('bodies', (join) =>
      join
        .on('bodies.workspace_id', '=', workspaceId)
        .onRef('bodies.reading_id', '=', 'readings.id'),
    )
    .select(['kind', 'model', 'searches', 'cost_micros', 'cost_basis', 'status', 'response'])
    .where('readings.workspace_id', '=', workspaceId)
    .where('readings.id', '=', runId)
    .where('state', '=', 'done')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const body = (await unpack(row.response)).toString();
  const { queries, retrieved } = engineOfKind(row.kind ?? '').read(row.status, {}, body);
  return {
    model: row.model,
    searches: row.searches,
    queries,
    retrieved,
    costUsd: toUsd(row.cost_micros ?? 0),
    costBasis: row.cost_basis ?? 'bound',
  };
}
