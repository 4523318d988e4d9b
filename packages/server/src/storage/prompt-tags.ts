import type { Kysely, Transaction } from 'kysely';
import { compareCodePoints } from '../values/code-points.ts';
import { tagKey } from '../values/tag.ts';
import { inChunks } from './chunks.ts';
import type { DataTables } from './schema.ts';

/** The tags of each tagged prompt by its id, its topic first: whether each tag is the topic. */
export type TagsByPrompt = Map<string, Map<string, boolean>>;

/** A tag that prompts have. */
export interface Tag {
  readonly tag: string;
  /** How many prompts have it. */
  readonly prompts: number;
  /** Of how many of them it is the topic. */
  readonly topicOf: number;
  /** Whether a person has marked the topic as not the brand's market. */
  readonly isOutsideMarket: boolean;
}

const rowsAtOnce = 256;

/** Reads the tags of all prompts of a workspace. */
export async function readTagsByPrompt(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<TagsByPrompt> {
  const rows = await db
    .selectFrom('prompt_tags')
    .select(['prompt_id', 'tag', 'is_topic'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('prompt_id')
    .orderBy('is_topic', 'desc')
    .orderBy('tag')
    .execute();
  const tags: TagsByPrompt = new Map();
  for (const { prompt_id: id, tag, is_topic: isTopic } of rows) {
    tagsOf(tags, id).set(tag, Boolean(isTopic));
  }
  return tags;
}

/** The topic among a prompt's tags; null if it has none. */
export function topicIn(tags: ReadonlyMap<string, boolean> | undefined): string | null {
  return tags?.entries().find(([, isTopic]) => isTopic)?.[0] ?? null;
}

/** Reads the tags of a workspace by name, or those of its prompts that have the tag `among`. */
export async function readTags(
  db: Kysely<DataTables>,
  workspaceId: string,
  among?: string,
): Promise<Tag[]> {
  const outside = await readOutsideMarket(db, workspaceId);
  const byPrompt = await readTagsByPrompt(db, workspaceId);
  const chosen = among === undefined ? byPrompt : promptsWithTag(byPrompt, among);
  const tags = new Map<string, Tag>();
  for (const [id, ofPrompt] of byPrompt) {
    if (!chosen.has(id)) continue;
    for (const [tag, isTopic] of ofPrompt) {
      const { prompts = 0, topicOf = 0 } = tags.get(tag) ?? {};
      const isOutsideMarket = outside.has(tag);
      const counts = { prompts: prompts + 1, topicOf: topicOf + (isTopic ? 1 : 0) };
      tags.set(tag, { tag, ...counts, isOutsideMarket });
    }
  }
  return [...tags.values()].toSorted((one, other) => compareCodePoints(one.tag, other.tag));
}

/** The ids of the prompts with a tag, in any case of its letters; none if there is no such tag. */
export function promptsWithTag(tags: TagsByPrompt, tag: string): ReadonlySet<string> {
  const spelled = spellingOf(tags, tag) ?? '';
  return new Set([...tags].filter(([, own]) => own.has(spelled)).map(([id]) => id));
}

/** Reads the ids of the prompts whose topic is marked as not the brand's market. */
export async function readPromptsOutsideMarket(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<ReadonlySet<string>> {
  const outside = await readOutsideMarket(db, workspaceId);
  if (outside.size === 0) return new Set();
  const rows = await db
    .selectFrom('prompt_tags')
    .select('prompt_id')
    .where('workspace_id', '=', workspaceId)
    .where('is_topic', '=', true)
    .where('tag', 'in', [...outside])
    .execute();
  return new Set(rows.map(({ prompt_id: id }) => id));
}

/**
 * Changes the tags of prompts, which the transaction must have locked. `change` gets the tags as they
 * are and changes the maps. Returns the ids of the prompts that have other tags than before.
 */
export async function changePromptTags(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  change: (tags: TagsByPrompt) => void,
): Promise<ReadonlySet<string>> {
  const before = await readTagsByPrompt(transaction, workspaceId);
  const after: TagsByPrompt = new Map([...before].map(([id, tags]) => [id, new Map(tags)]));
  change(after);
  const lost = rowsOf(before).filter(({ id, tag }) => !after.get(id)?.has(tag));
  const gained = rowsOf(after).filter(
    ({ id, tag, isTopic }) => before.get(id)?.get(tag) !== isTopic,
  );
  // A topic that is replaced goes first, because a prompt has at most one at any time.
  for (const [tag, rows] of Map.groupBy(lost, (row) => row.tag)) {
    for (const chunk of inChunks(rows, rowsAtOnce)) {
      await transaction
        .deleteFrom('prompt_tags')
        .where('workspace_id', '=', workspaceId)
        .where('tag', '=', tag)
        .where(
          'prompt_id',
          'in',
          chunk.map(({ id }) => id),
        )
        .execute();
    }
  }
  for (const chunk of inChunks(gained, rowsAtOnce)) {
    await transaction
      .insertInto('prompt_tags')
      .values(
        chunk.map(({ id, tag, isTopic }) => ({
          workspace_id: workspaceId,
          prompt_id: id,
          tag,
          is_topic: isTopic,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'prompt_id', 'tag'])
          .doUpdateSet(({ ref }) => ({ is_topic: ref('excluded.is_topic') })),
      )
      .execute();
  }
  if (lost.length > 0) await forgetUnused(transaction, workspaceId);
  return new Set([...lost, ...gained].map(({ id }) => id));
}

/**
 * Gives a prompt a tag, which is spelled as the workspace spells it. A topic replaces the topic that
 * the prompt had, and a topic stays one if it is given again as a tag.
 */
export function giveTag(
  tags: TagsByPrompt,
  { id, tag, isTopic }: { id: string; tag: string; isTopic: boolean },
): void {
  const ofPrompt = tagsOf(tags, id);
  if (isTopic) {
    for (const [each, wasTopic] of ofPrompt) {
      if (wasTopic && each !== tag) ofPrompt.delete(each);
    }
  }
  ofPrompt.set(tag, isTopic || ofPrompt.get(tag) === true);
}

/** How a tag is spelled in the workspace; undefined if no prompt has it. */
export function spellingOf(tags: TagsByPrompt, tag: string): string | undefined {
  return spellingsOf(tags).get(tagKey(tag));
}

/** How each tag is spelled in the workspace, by its key. */
export function spellingsOf(tags: TagsByPrompt): Map<string, string> {
  return new Map(tagNames(tags).map((tag) => [tagKey(tag), tag]));
}

/** The tags that prompts have, each once. */
export function tagNames(tags: TagsByPrompt): string[] {
  return [...new Set(tags.values().flatMap((ofPrompt) => ofPrompt.keys()))];
}

/** Forgets the tags of prompts that were removed. */
export async function forgetRemovedPrompts(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  await transaction
    .deleteFrom('prompt_tags')
    .where('workspace_id', '=', workspaceId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('prompts')
            .select('id')
            .where('workspace_id', '=', workspaceId)
            .whereRef('prompts.id', '=', 'prompt_tags.prompt_id'),
        ),
      ),
    )
    .execute();
  await forgetUnused(transaction, workspaceId);
}

/** Forgets what was said of tags that no prompt has: a tag of the same name would be a new one. */
async function forgetUnused(
  transaction: Transaction<DataTables>,
  workspaceId: string,
): Promise<void> {
  await transaction
    .deleteFrom('tags')
    .where('workspace_id', '=', workspaceId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('prompt_tags')
            .select('tag')
            .where('workspace_id', '=', workspaceId)
            .whereRef('prompt_tags.tag', '=', 'tags.tag'),
        ),
      ),
    )
    .execute();
}

async function readOutsideMarket(
  db: Kysely<DataTables>,
  workspaceId: string,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('tags')
    .select('tag')
    .where('workspace_id', '=', workspaceId)
    .where('outside_market', '=', true)
    .execute();
  return new Set(rows.map(({ tag }) => tag));
}

function tagsOf(tags: TagsByPrompt, id: string): Map<string, boolean> {
  const ofPrompt = tags.get(id) ?? new Map<string, boolean>();
  tags.set(id, ofPrompt);
  return ofPrompt;
}

function rowsOf(tags: TagsByPrompt): Array<{ id: string; tag: string; isTopic: boolean }> {
  return [...tags].flatMap(([id, ofPrompt]) =>
    [...ofPrompt].map(([tag, isTopic]) => ({ id, tag, isTopic })),
  );
}
