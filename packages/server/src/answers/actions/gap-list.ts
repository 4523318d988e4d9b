import type { Kysely } from 'kysely';
import { readTagsByPrompt } from '../../storage/prompt-tags.ts';
import type { TagsByPrompt } from '../../storage/prompt-tags.ts';
import type { DataTables } from '../../storage/schema.ts';
import { promptsOf, readGapFilter, topicOfGap } from '../../storage/gaps.ts';
import { parseParts } from '../../storage/queries/action-parts.ts';
import { actionStatuses } from './stored-actions.ts';
import { listActions } from '../../storage/queries/list-actions.ts';
import type { ActionStatus, StoredAction } from '../../storage/queries/list-actions.ts';

/** An action as a line of a list. */
export type ListedGap = ReturnType<typeof toGap>;

/** The actions of one status that the other filters select. */
export type GapList = Awaited<ReturnType<typeof readGapList>>;

export interface GapQuery {
  /** Undefined means every status. */
  readonly status?: ActionStatus | undefined;
  readonly engine?: string | undefined;
  readonly promptId?: string | undefined;
  readonly priority?: StoredAction['priority'] | undefined;
  /** A kind; `imported` for those without one. */
  readonly kind?: string | undefined;
  /** Only gaps about a prompt with this tag, in any case. */
  readonly tag?: string | undefined;
  /** The user who is to fix it; null for actions of nobody. */
  readonly assignedTo?: string | null | undefined;
  /** The gap that most addresses this engine comes first. */
  readonly first?: string | undefined;
  /** Most actions to return. */
  readonly rowsMax: number;
  /** How many actions to leave out. */
  readonly skip?: number | undefined;
}

/** Lists the actions of a workspace. */
export async function readGapList(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  { status, engine, promptId, priority, kind, tag, assignedTo, first, rowsMax, skip = 0 }: GapQuery,
) {
  const actions = await listActions(db, workspaceId);
  const doneAt = await readDoneAt(db, workspaceId);
  const tags = await readTagsByPrompt(db, workspaceId);
  const { isOutside, hasTag } = await readGapFilter(db, workspaceId, tag);
  const outside = new Set(actions.filter(isOutside).map(({ id }) => id));
  const matches = actions
    .filter(hasTag)
    .map((action) => toGap(action, { doneAt, tags }))
    .filter(
      (gap) =>
        (engine === undefined || gap.engines.includes(engine)) &&
        (promptId === undefined || gap.prompt_id === promptId) &&
        (priority === undefined || gap.priority === priority) &&
        (kind === undefined || (gap.kind ?? 'imported') === kind) &&
        (assignedTo === undefined || gap.assigned_to === assignedTo),
    );
  const selected = matches.filter(({ id }) => !outside.has(id));
  const count = (each: ActionStatus) => selected.filter((gap) => gap.status === each).length;
  const [open, in_progress, done, dismissed] = actionStatuses.map(count);
  const ofStatus = selected.filter((gap) => status === undefined || gap.status === status);
  const gaps = first === undefined ? ofStatus : beginWith(first, ofStatus);
  return {
    /** The number of actions by status, which the other filters select. */
    totals: {
      open: open ?? 0,
      in_progress: in_progress ?? 0,
      done: done ?? 0,
      dismissed: dismissed ?? 0,
    },
    /** Most impact first. */
    gaps: gaps.slice(skip, skip + rowsMax),
    /** The kinds of all actions; null stands for imported ones. */
    kinds: [...new Set(actions.map((action) => action.kind))].toSorted((one, other) =>
      (one ?? '') < (other ?? '') ? -1 : 1,
    ),
    /** Actions of the status left out, because their topics are not the brand's market. */
    outsideMarket: matches.filter(
      (gap) => outside.has(gap.id) && (status === undefined || gap.status === status),
    ).length,
  };
}

/** Moves the gap about this engine to the front: the one about the fewest others, if several are. */
function beginWith(engine: string, gaps: readonly ListedGap[]): readonly ListedGap[] {
  const [remedy] = gaps
    .filter(({ engines }) => engines.includes(engine))
    .toSorted((left, right) => left.engines.length - right.engines.length);
  return remedy === undefined ? gaps : [remedy, ...gaps.filter((gap) => gap !== remedy)];
}

async function readDoneAt(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('action_changes')
    .select(['action_id', (query) => query.fn.max('changed_at').as('at')])
    .where('workspace_id', '=', workspaceId)
    .where('status', '=', 'done')
    .groupBy('action_id')
    .execute();
  return new Map(rows.map(({ action_id: id, at }) => [id, at]));
}

function toGap(
  stored: StoredAction,
  { doneAt, tags }: { doneAt: ReadonlyMap<string, string>; tags: TagsByPrompt },
) {
  const { parts: text, ...action } = stored;
  const parts = parseParts(text);
  return {
    ...action,
    /** The engines whose runs show the gap. Empty if the action was imported or concerns no engine. */
    engines: parts?.filter.engines ?? [],
    /** The prompts that it is about; empty if they are not known. */
    promptIds: promptsOf(stored),
    /** The topic of most of these prompts; null if most have no topic, or several. */
    topic: topicOfGap(stored, tags),
    /** The first step that fixes it; null if it was imported, or derived by older rules. */
    step: parts?.steps?.[0] ?? null,
    /** When a person last set it to done; null if nobody has. */
    doneAt: doneAt.get(action.id) ?? null,
  };
}
