import type { Kysely } from 'kysely';
import { padded } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { ExplainedRun } from '../scores/explained-mentions.ts';
import { explainAction } from './explain.ts';
import type { ExplainedRequest } from './explain.ts';
import { measures } from './found-action.ts';
import type { Parts } from './found-action.ts';
import { impactScore } from './impact.ts';
import { parseParts } from './parse-parts.ts';
import { findAction, nextStatuses } from './stored-actions.ts';
import type { ActionStatus, StatusChange, StoredAction } from './stored-actions.ts';

/** Some of many. */
interface Sample<Item> {
  readonly total: number;
  readonly shown: readonly Item[];
}

/** An action taken apart, with as much of its evidence as fits on a page. */
export interface GapDetails {
  readonly action: StoredAction;
  readonly changes: readonly StatusChange[];
  /** What it may become. */
  readonly next: readonly ActionStatus[];
  /** Null for one that was imported, or derived by older rules. */
  readonly derived: {
    readonly parts: Parts;
    /** What the formula gives; an import may have set another impact. */
    readonly impact: number;
    /** What the share at stake counts, in words. */
    readonly measure: string;
    readonly unit: 'run' | 'request';
    readonly prompts: Sample<{
      readonly id: string;
      readonly text: string;
      readonly locale: string;
    }>;
    readonly runs: Sample<ExplainedRun>;
    readonly runsBefore: Sample<ExplainedRun>;
    readonly requests: Sample<ExplainedRequest>;
  } | null;
}

const shownMax = 20;

/** Reads one action. Throws a `Refusal` if there is none. */
export async function readGapDetails(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  { id }: { readonly id: string },
): Promise<GapDetails> {
  const { action, changes } = await findAction(db, workspaceId, id);
  const parts = parseParts(action.parts);
  const shared = { action, changes, next: nextStatuses[action.status] };
  if (parts === undefined) return { ...shared, derived: null };
  const { runs, runs_before: before, requests } = await explainAction(db, workspaceId, parts);
  const { promptIds = [], request } = parts.filter;
  const prompts = await db
    .selectFrom('prompts')
    .select(['id', 'text', 'locale'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', padded([...promptIds.slice(0, shownMax), '']))
    .orderBy('id')
    .execute();
  return {
    ...shared,
    derived: {
      parts,
      impact: impactScore(parts),
      measure: new Map(Object.entries(measures)).get(action.kind ?? '') ?? 'not known',
      unit: request === undefined && action.kind !== 'not cited' ? 'run' : 'request',
      prompts: { total: promptIds.length, shown: prompts },
      runs: sample(runs),
      runsBefore: sample(before),
      requests: sample(requests),
    },
  };
}

function sample<Item>(all: readonly Item[]): Sample<Item> {
  return { total: all.length, shown: all.slice(0, shownMax) };
}
