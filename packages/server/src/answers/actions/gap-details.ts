import type { Kysely } from 'kysely';
import { pad } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import { explainAction } from './explain-action.ts';
import { measureOf } from './gap-kinds.ts';
import { impactScore } from './impact.ts';
import { findAction } from './stored-actions.ts';
import { parseParts } from '../../storage/queries/action-parts.ts';

/** An action in detail, with as much of its evidence as fits on a page. */
export type GapDetails = Awaited<ReturnType<typeof readGapDetails>>;

const shownMax = 20;

/** Reads one action. Throws a `Refusal` if there is none. */
export async function readGapDetails(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  { id }: { readonly id: string },
) {
  const { action, changes } = await findAction(db, workspaceId, id);
  const parts = parseParts(action.parts);
  const shared = { action, changes };
  if (parts === undefined) return { ...shared, derived: null };
  const { runs, runs_before: before, requests } = await explainAction(db, workspaceId, parts);
  const { promptIds = [], request } = parts.filter;
  const prompts = await db
    .selectFrom('prompts')
    .select(['id', 'text', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', pad([...promptIds.slice(0, shownMax), '']))
    .orderBy('id')
    .execute();
  return {
    ...shared,
    /** Null for an action that was imported, or derived by older rules. */
    derived: {
      parts,
      /** The impact by the formula. An import may have set a different one. */
      impact: impactScore(parts),
      /** What the share at stake counts, in words. */
      measure: measureOf(action.kind),
      unit: request === undefined && action.kind !== 'not cited' ? 'run' : 'request',
      prompts: { total: promptIds.length, items: prompts },
      runs: sample(runs),
      runsBefore: sample(before),
      requests: sample(requests),
    },
  };
}

/** A few items of a longer list, with its length. */
function sample<Item>(all: readonly Item[]) {
  return { total: all.length, items: all.slice(0, shownMax) };
}
