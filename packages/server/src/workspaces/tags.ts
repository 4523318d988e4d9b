import { nearest } from '@overheard/contract';
import type { Transaction } from 'kysely';
import { Refusal } from '../refusals.ts';
import { inChunks } from '../storage/chunks.ts';
import {
  changePromptTags,
  giveTag,
  readTagsByPrompt,
  spellingOf,
  tagNames,
} from '../storage/prompt-tags.ts';
import type { TagsByPrompt } from '../storage/prompt-tags.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { parseTag, tagKey } from '../values/tag.ts';

const idsAtOnce = 256;

/** Some prompts and a tag. */
interface TaggedPrompts {
  readonly ids: readonly string[];
  readonly tag: string;
}

/**
 * Gives prompts a tag; `isTopic` makes it their topic, in place of the one that each had. Returns how
 * many prompts changed, and the tag as it is spelled in the workspace. Throws a `Refusal` for text
 * that cannot be a tag, and for an id that the workspace does not have.
 */
export async function tagPrompts(
  store: Store,
  workspaceId: string,
  { ids, tag, isTopic = false }: TaggedPrompts & { isTopic?: boolean },
): Promise<{ changed: number; tag: string }> {
  const clean = cleanTag(tag);
  return writeWorkspace(store, workspaceId, async (transaction) => {
    await refuseUnknownIds(transaction, workspaceId, ids);
    let spelled = clean;
    const { size: changed } = await changePromptTags(transaction, workspaceId, (tags) => {
      spelled = spellingOf(tags, clean) ?? clean;
      for (const id of ids) giveTag(tags, { id, tag: spelled, isTopic });
    });
    return { hasChanged: changed > 0, changed, tag: spelled };
  });
}

/**
 * Takes a tag or topic from prompts. Returns how many had it. Throws a `Refusal` for a tag that no
 * prompt has, and for an id that the workspace does not have.
 */
export async function untagPrompts(
  store: Store,
  workspaceId: string,
  { ids, tag }: TaggedPrompts,
): Promise<{ changed: number; tag: string }> {
  return writeWorkspace(store, workspaceId, async (transaction) => {
    await refuseUnknownIds(transaction, workspaceId, ids);
    let spelled = tag;
    const { size: changed } = await changePromptTags(transaction, workspaceId, (tags) => {
      spelled = findTag(tags, tag);
      for (const id of ids) tags.get(id)?.delete(spelled);
    });
    return { hasChanged: changed > 0, changed, tag: spelled };
  });
}

/**
 * Renames a tag on every prompt. If another tag has the new name, the two become one, which keeps the
 * other's mark as not the brand's market. Messages about the tag follow it. Returns how many prompts had
 * the tag. Throws a `Refusal` for a tag that no prompt has, and for a name that cannot be a tag.
 */
export async function renameTag(
  store: Store,
  workspaceId: string,
  { from, to }: { from: string; to: string },
): Promise<{ changed: number; tag: string; hasMerged: boolean }> {
  const clean = cleanTag(to);
  const renamed = await writeWorkspace(store, workspaceId, async (transaction) => {
    const before = findTag(await readTagsByPrompt(transaction, workspaceId), from);
    const isRespelled = tagKey(before) === tagKey(clean);
    let tag = clean;
    let hasMerged = false;
    const isOutside = await transaction
      .selectFrom('tags')
      .select('outside_market')
      .where('workspace_id', '=', workspaceId)
      .where('tag', '=', before)
      .executeTakeFirst();
    const { size: changed } = await changePromptTags(transaction, workspaceId, (tags) => {
      const other = isRespelled ? undefined : spellingOf(tags, clean);
      tag = other ?? clean;
      hasMerged = other !== undefined;
      if (tag === before) return;
      for (const ofPrompt of tags.values()) {
        const wasTopic = ofPrompt.get(before);
        if (wasTopic === undefined) continue;
        ofPrompt.delete(before);
        ofPrompt.set(tag, wasTopic || ofPrompt.get(tag) === true);
      }
    });
    if (isOutside !== undefined && !hasMerged && tag !== before) {
      await markOutside(transaction, workspaceId, tag, Boolean(isOutside.outside_market));
    }
    return { hasChanged: changed > 0, changed, tag, hasMerged };
  });
  await renameMessageTag(store, workspaceId, { from, to: renamed.tag });
  return renamed;
}

/** Without this, messages would be about a tag that no prompt has, and so about all prompts. */
async function renameMessageTag(
  { access }: Store,
  workspaceId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const time = await access
    .selectFrom('message_times')
    .select('tag')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  const tag = time?.tag ?? null;
  if (tag === null || tagKey(tag) !== tagKey(from)) return;
  await access
    .updateTable('message_times')
    .set({ tag: to })
    .where('workspace_id', '=', workspaceId)
    .where('tag', '=', tag)
    .execute();
}

/**
 * Marks a topic as not the brand's market, or takes that back: its prompts are kept and counted, and
 * are no gaps. Throws a `Refusal` for a tag that no prompt has, and if a tag to mark is nobody's topic.
 */
export async function setOutsideMarket(
  store: Store,
  workspaceId: string,
  { tag, isOutside }: { tag: string; isOutside: boolean },
): Promise<{ hasChanged: boolean; tag: string }> {
  return writeWorkspace(store, workspaceId, async (transaction) => {
    const tags = await readTagsByPrompt(transaction, workspaceId);
    const spelled = findTag(tags, tag);
    if (isOutside && !tags.values().some((ofPrompt) => ofPrompt.get(spelled) === true)) {
      throw new Refusal('tag_not_topic', { tag: spelled });
    }
    const row = await transaction
      .selectFrom('tags')
      .select('outside_market')
      .where('workspace_id', '=', workspaceId)
      .where('tag', '=', spelled)
      .executeTakeFirst();
    const hasChanged = Boolean(row?.outside_market) !== isOutside;
    if (hasChanged) await markOutside(transaction, workspaceId, spelled, isOutside);
    return { hasChanged, tag: spelled };
  });
}

async function markOutside(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  tag: string,
  isOutside: boolean,
): Promise<void> {
  await transaction
    .insertInto('tags')
    .values({ workspace_id: workspaceId, tag, outside_market: isOutside })
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'tag']).doUpdateSet({ outside_market: isOutside }),
    )
    .execute();
}

function cleanTag(text: string): string {
  const tag = parseTag(text);
  if (tag === undefined) throw new Refusal('tag_malformed', { tag: text });
  return tag;
}

function findTag(tags: TagsByPrompt, text: string): string {
  const spelled = spellingOf(tags, text);
  if (spelled !== undefined) return spelled;
  throw new Refusal('tag_not_found', { tag: text, nearest: nearest(text, tagNames(tags)) });
}

async function refuseUnknownIds(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  for (const chunk of inChunks([...new Set(ids)], idsAtOnce)) {
    const rows = await transaction
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', chunk)
      .execute();
    const stored = new Set(rows.map(({ id }) => id));
    const missing = chunk.find((id) => !stored.has(id));
    if (missing !== undefined) throw new Refusal('prompt_not_found', { prompt: missing });
  }
}
