import type { Kysely } from 'kysely';
import {
  promptsWithTag,
  readPromptsOutsideMarket,
  readTagsByPrompt,
  topicIn,
} from './prompt-tags.ts';
import type { TagsByPrompt } from './prompt-tags.ts';
import type { DataTables } from './schema.ts';
import { parseParts } from './queries/action-parts.ts';
import { listActions } from './queries/list-actions.ts';
import type { ActionStatus, StoredAction } from './queries/list-actions.ts';

type About = Pick<StoredAction, 'prompt_id' | 'parts'>;

/** The ids of the prompts that an action is about; none if they are not known. */
export function promptsOf({ prompt_id: id, parts }: About): readonly string[] {
  return id === null ? (parseParts(parts)?.filter.promptIds ?? []) : [id];
}

/** The topic of most of the prompts that an action is about; null if most have no topic, or several. */
export function topicOfGap(action: About, tags: TagsByPrompt): string | null {
  const topics = promptsOf(action).map((id) => topicIn(tags.get(id)));
  const [most = []] = [...Map.groupBy(topics, (topic) => topic).values()].toSorted(
    (one, other) => other.length - one.length,
  );
  return 2 * most.length > topics.length ? (most[0] ?? null) : null;
}

/** Which actions are gaps of the brand's market, and which are about prompts with a tag. */
export interface GapFilter {
  /** Whether all prompts that it is about have topics that are not the brand's market. */
  readonly isOutside: (action: About) => boolean;
  /** Whether a prompt that it is about has the tag; true of all without a tag. */
  readonly hasTag: (action: About) => boolean;
}

/** Reads what decides which actions are gaps. The tag may be in any case of its letters. */
export async function readGapFilter(
  db: Kysely<DataTables>,
  workspaceId: string,
  tag: string | undefined,
): Promise<GapFilter> {
  const outside = await readPromptsOutsideMarket(db, workspaceId);
  const tagged =
    tag === undefined ? undefined : promptsWithTag(await readTagsByPrompt(db, workspaceId), tag);
  return {
    isOutside: (action) => {
      if (outside.size === 0) return false;
      const ids = promptsOf(action);
      return ids.length > 0 && ids.every((id) => outside.has(id));
    },
    hasTag: (action) => tagged === undefined || promptsOf(action).some((id) => tagged.has(id)),
  };
}

/** Counts the open gaps of each tag: those about a prompt with it, as a list of gaps by tag has them. */
export async function countGapsByTag(source: {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
}): Promise<ReadonlyMap<string, number>> {
  const tags = await readTagsByPrompt(source.db, source.workspaceId);
  const counts = new Map<string, number>();
  for (const gap of await listGaps(source, { status: 'open' })) {
    const own = promptsOf(gap).flatMap((id) => [...(tags.get(id)?.keys() ?? [])]);
    for (const tag of new Set(own)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return counts;
}

/** How many gaps of the brand's market there are, by what becomes of them. */
export interface GapCounts {
  readonly open: number;
  /** Of the open ones, those of high priority. */
  readonly high: number;
  readonly inProgress: number;
}

/** Counts gaps. Every page does this for its menu, so it reads the actions only if some are left out. */
export async function countGaps(source: {
  readonly db: Kysely<DataTables>;
  readonly workspaceId: string;
}): Promise<GapCounts> {
  const { db, workspaceId } = source;
  const { size: outside } = await readPromptsOutsideMarket(db, workspaceId);
  const rows =
    outside > 0
      ? (await listGaps(source, {})).map((gap) => ({ ...gap, count: 1 }))
      : await db
          .selectFrom('actions')
          .select(({ fn }) => ['status', 'priority', fn.countAll<number | string>().as('count')])
          .where('workspace_id', '=', workspaceId)
          .groupBy(['status', 'priority'])
          .execute();
  const sum = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.reduce((total, row) => total + (matches(row) ? Number(row.count) : 0), 0);
  return {
    open: sum(({ status }) => status === 'open'),
    high: sum(({ status, priority }) => status === 'open' && priority === 'high'),
    inProgress: sum(({ status }) => status === 'in_progress'),
  };
}

/** The actions that are gaps of the brand's market, most impact first. */
export async function listGaps(
  { db, workspaceId }: { readonly db: Kysely<DataTables>; readonly workspaceId: string },
  { status, tag }: { status?: ActionStatus | undefined; tag?: string | undefined },
): Promise<StoredAction[]> {
  const { isOutside, hasTag } = await readGapFilter(db, workspaceId, tag);
  const actions = await listActions(db, workspaceId, { status });
  return actions.filter((action) => hasTag(action) && !isOutside(action));
}
