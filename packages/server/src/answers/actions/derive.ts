import type { Selectable, Transaction } from 'kysely';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import { writeOrTry } from '../../storage/write.ts';
import { fillCounts } from '../counts/fill-counts.ts';
import { findGaps, sovOf } from './find-gaps.ts';
import type { FoundAction, ScarcePrompt } from './find-gaps.ts';
import { priorityOf } from './impact.ts';
import { windowsAt } from '../../storage/queries/action-parts.ts';
import type { Days } from '../../storage/queries/action-parts.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { readRunEvidence } from './evidence.ts';
import { runsMin } from './drops.ts';
import { tallyRuns } from './tally.ts';

/** Length of the window that gaps are found in, unless a person gives another. */
export const usualWindowDays = 28;

export interface DeriveOptions {
  readonly workspaceId: string;
  /** Length of the window in UTC days, including today. */
  readonly windowDays?: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly isDryRun?: boolean;
}

/** The parts of an action that a message names. */
export interface NamedAction {
  readonly id: string;
  readonly recommendation: string;
}

/** What deriving did, or would do. */
export interface Derivation {
  readonly hasChanged: boolean;
  readonly days: Days;
  /** Prompts with counted runs in the window. */
  readonly prompts: number;
  readonly scarce: readonly ScarcePrompt[];
  readonly opened: readonly NamedAction[];
  readonly updated: number;
  readonly unchanged: number;
  /** Gaps that still exist but whose action's status a person has set: left unchanged. */
  readonly set: number;
  /** Open actions whose gap no longer exists: left for a person to close. */
  readonly over: readonly NamedAction[];
  /** Open actions of prompts with too few counted runs: their gap may or may not still exist. */
  readonly unknown: readonly NamedAction[];
  /** Actions with the status `done` whose result was measured this time. */
  readonly results: number;
}

/**
 * Derives the actions from the runs and hits of a window, in one transaction. Opens new actions and
 * updates open ones. Leaves actions that a person has set, and closes none. Fills the counts
 * first, because after an upgrade this may run before the server starts again.
 */
export async function deriveActions(
  store: Store,
  { workspaceId, windowDays = usualWindowDays, clock, isDryRun = false }: DeriveOptions,
): Promise<Derivation> {
  const nowMs = clock();
  const { current, before } = windowsAt(nowMs, windowDays);
  await fillCounts(store, workspaceId);
  return writeOrTry(store, workspaceId, {
    isDryRun,
    write: async (transaction) => {
      const { scarce, prompts, ...gaps } = await findGaps(transaction, workspaceId, {
        current,
        before,
      });
      const createdAt = new Date(nowMs).toISOString();
      const changes = await writeActions(transaction, workspaceId, { ...gaps, createdAt });
      const results = await fillResults(transaction, workspaceId, nowMs);
      const hasChanged = changes.opened.length + changes.updated + results > 0;
      return { hasChanged, days: current, prompts, scarce, ...changes, results };
    },
  });
}

/** Opens actions for gaps that are new, and updates those that are open. */
export async function writeActions(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    found: actions,
    lookedAt,
    createdAt,
  }: { found: readonly FoundAction[]; lookedAt: ReadonlySet<string>; createdAt: string },
): Promise<Omit<Derivation, 'hasChanged' | 'days' | 'prompts' | 'scarce' | 'results'>> {
  const stored = await transaction
    .selectFrom('actions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .execute();
  // An imported action may already have this id, because ids follow from the kind and the prompt.
  const storedById = new Map(stored.map((action) => [action.id, action]));
  const opened: NamedAction[] = [];
  const count = { updated: 0, unchanged: 0, set: 0 };
  const holding = new Map(actions.map((action) => [action.id, action]));
  for (const action of holding.values()) {
    const before = storedById.get(action.id);
    const now = columnsOf(action);
    if (before === undefined) {
      await transaction
        .insertInto('actions')
        .values({
          workspace_id: workspaceId,
          id: action.id,
          prompt_id: action.promptId,
          status: 'open',
          sov_baseline: action.sov,
          sov_result: null,
          created_at: createdAt,
          ...now,
        })
        .execute();
      opened.push(nameOf(action));
    } else if (before.status !== 'open') {
      count.set += 1;
    } else if (hasSameColumns(before, now)) {
      count.unchanged += 1;
    } else {
      await transaction
        .updateTable('actions')
        .set(now)
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', action.id)
        .execute();
      count.updated += 1;
    }
  }
  const goneActions = stored.filter(
    ({ id, kind, status }) => kind !== null && status === 'open' && !holding.has(id),
  );
  const isKnown = ({ prompt_id: id }: { prompt_id: string | null }) =>
    id === null || lookedAt.has(id);
  return {
    opened,
    ...count,
    over: goneActions.filter(isKnown).map(nameOf),
    unknown: goneActions.filter((action) => !isKnown(action)).map(nameOf),
  };
}

function hasSameColumns(
  before: Pick<Selectable<DataTables['actions']>, keyof ActionColumns>,
  now: ActionColumns,
): boolean {
  return (
    now.recommendation === before.recommendation &&
    now.priority === before.priority &&
    now.impact_score === before.impact_score &&
    now.parts === before.parts
  );
}

function nameOf({ id, recommendation }: NamedAction): NamedAction {
  return { id, recommendation };
}

type ActionColumns = ReturnType<typeof columnsOf>;

function columnsOf({ kind, recommendation, impact, parts }: FoundAction) {
  return {
    kind,
    recommendation,
    priority: priorityOf(impact),
    impact_score: impact,
    parts: JSON.stringify(parts),
  };
}

const restDays = 14;
/** Sorts after every stored moment. */
const never = '9999';

/**
 * Measures the result of each action that was done at least 14 days ago: its prompt's share of
 * voice over the counted runs since then, if there are at least 5. Returns the number of actions
 * measured.
 */
async function fillResults(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  nowMs: number,
): Promise<number> {
  const restedAt = new Date(nowMs - restDays * dayMs).toISOString();
  const done = await transaction
    .selectFrom('actions')
    .innerJoin('action_changes', (join) =>
      join
        .on('action_changes.workspace_id', '=', workspaceId)
        .onRef('action_changes.action_id', '=', 'actions.id'),
    )
    .where('actions.workspace_id', '=', workspaceId)
    .where('actions.status', '=', 'done')
    .where('action_changes.status', '=', 'done')
    .where('sov_result', 'is', null)
    .where('prompt_id', 'is not', null)
    .select(['actions.id', 'prompt_id', (query) => query.fn.max('changed_at').as('done_at')])
    .groupBy(['actions.id', 'prompt_id'])
    .execute();
  let filled = 0;
  for (const { id, prompt_id: promptId, done_at: doneAt } of done) {
    if (promptId === null || doneAt > restedAt) continue;
    const span = { from: doneAt, before: never };
    const runs = await readRunEvidence(transaction, workspaceId, { promptId, span });
    if (runs.length < runsMin) continue;
    await transaction
      .updateTable('actions')
      .set({ sov_result: sovOf(tallyRuns(runs)) })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .execute();
    filled += 1;
  }
  return filled;
}
