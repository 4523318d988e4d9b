import { expect, test } from 'vitest';
import { aWorkspace, now } from '../../test/answers/answers.ts';
import { aPrompt, idOf, writeRows } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import {
  promptsWithTag,
  readPromptsOutsideMarket,
  readTags,
  readTagsByPrompt,
} from '../storage/prompt-tags.ts';
import { readMessageTime, setMessageTime, usualTime } from '../messages/message-times.ts';
import type { Store } from '../storage/store.ts';
import { renameTag, setOutsideMarket, tagPrompts, untagPrompts } from './tags.ts';

eachStore('tags of prompts', (open) => {
  test('a tag keeps the spelling that was used first, and a prompt has one topic at most', async () => {
    const { store, workspaceId, list } = await tracked(await open());
    const ids = [idOf(1), idOf(2)];
    expect(
      await tagPrompts(store, workspaceId, { ids, tag: ' CRM ', isTopic: true }),
    ).toMatchObject({
      changed: 2,
      tag: 'CRM',
    });
    const again = { ids: [idOf(2), idOf(3)], tag: 'crm' };
    expect(await tagPrompts(store, workspaceId, again)).toMatchObject({ changed: 1, tag: 'CRM' });
    expect(await list()).toEqual(['CRM 3 2']);
    await tagPrompts(store, workspaceId, { ids: [idOf(2)], tag: 'Mail', isTopic: true });
    await tagPrompts(store, workspaceId, { ids: [idOf(3)], tag: 'crm', isTopic: true });
    expect(await list()).toEqual(['CRM 2 2', 'Mail 1 1']);
    await untagPrompts(store, workspaceId, { ids, tag: 'CRM' });
    expect(await list()).toEqual(['CRM 1 1', 'Mail 1 1']);
    const tags = await readTagsByPrompt(store.reader, workspaceId);
    expect(promptsWithTag(tags, 'MAIL')).toEqual(new Set([idOf(2)]));
    expect(promptsWithTag(tags, 'none')).toEqual(new Set());
  });

  test(
    'a change of tags draws a new revision, and a change of nothing does not',
    { tags: ['once'] },
    async () => {
      const { store, workspaceId, revision } = await tracked(await open());
      const seen = new Set([await revision()]);
      const change = { ids: [idOf(1)], tag: 'CRM' };
      const writes = [
        () => tagPrompts(store, workspaceId, { ...change, isTopic: true }),
        () => setOutsideMarket(store, workspaceId, { tag: 'CRM', isOutside: true }),
        () => renameTag(store, workspaceId, { from: 'CRM', to: 'crm' }),
        () => untagPrompts(store, workspaceId, change),
      ];
      for (const write of writes) {
        await write();
        expect(seen).not.toContain(await revision());
        seen.add(await revision());
      }
      await tagPrompts(store, workspaceId, change);
      const before = await revision();
      await tagPrompts(store, workspaceId, change);
      await setOutsideMarket(store, workspaceId, { tag: 'CRM', isOutside: false });
      await renameTag(store, workspaceId, { from: 'CRM', to: 'CRM' });
      await untagPrompts(store, workspaceId, { ids: [idOf(2)], tag: 'CRM' });
      expect(await revision()).toBe(before);
    },
  );

  test('renaming a tag to one that exists merges them, and the topic of a prompt stays its topic', async () => {
    const { store, workspaceId, list } = await tracked(await open());
    await tagPrompts(store, workspaceId, { ids: [idOf(1)], tag: 'Mailing', isTopic: true });
    await tagPrompts(store, workspaceId, { ids: [idOf(1), idOf(2)], tag: 'Mail' });
    await setOutsideMarket(store, workspaceId, { tag: 'Mailing', isOutside: true });
    await expect(
      setOutsideMarket(store, workspaceId, { tag: 'mail', isOutside: true }),
    ).rejects.toMatchObject({ code: 'tag_not_topic', facts: { tag: 'Mail' } });
    const merge = { from: 'mailing', to: 'MAIL' };
    expect(await renameTag(store, workspaceId, merge)).toMatchObject({
      changed: 1,
      tag: 'Mail',
      hasMerged: true,
    });
    expect(await list()).toEqual(['Mail 2 1']);
    await setOutsideMarket(store, workspaceId, { tag: 'mail', isOutside: true });
    expect(await renameTag(store, workspaceId, { from: 'Mail', to: 'Post' })).toMatchObject({
      hasMerged: false,
    });
    expect(await list()).toEqual(['Post 2 1 outside']);
  });

  test('messages about a tag follow it when it is renamed or merged, and those about another tag stay', async () => {
    const { store, workspaceId } = await tracked(await open());
    await tagPrompts(store, workspaceId, { ids: [idOf(1)], tag: 'Mailing' });
    await tagPrompts(store, workspaceId, { ids: [idOf(2)], tag: 'Mail' });
    const messageTag = async () => (await readMessageTime(store.access, workspaceId, now)).tag;
    const time = { ...usualTime, tag: 'mailing' };
    await setMessageTime(store.access, workspaceId, time, { clock: () => now });
    await renameTag(store, workspaceId, { from: 'Mail', to: 'Post' });
    expect(await messageTag()).toBe('mailing');
    await renameTag(store, workspaceId, { from: 'Mailing', to: 'Letters' });
    expect(await messageTag()).toBe('Letters');
    await renameTag(store, workspaceId, { from: 'letters', to: 'post' });
    expect(await messageTag()).toBe('Post');
  });

  test('the prompts of a topic that is not our market are found until the topic is theirs no more', async () => {
    const { store, workspaceId } = await tracked(await open());
    await tagPrompts(store, workspaceId, { ids: [idOf(1)], tag: 'Jobs', isTopic: true });
    await tagPrompts(store, workspaceId, { ids: [idOf(2)], tag: 'Jobs' });
    await setOutsideMarket(store, workspaceId, { tag: 'Jobs', isOutside: true });
    expect(await readPromptsOutsideMarket(store.reader, workspaceId)).toEqual(new Set([idOf(1)]));
    await untagPrompts(store, workspaceId, { ids: [idOf(1), idOf(2)], tag: 'Jobs' });
    await tagPrompts(store, workspaceId, { ids: [idOf(1)], tag: 'Jobs', isTopic: true });
    expect(await readPromptsOutsideMarket(store.reader, workspaceId)).toEqual(new Set());
  });

  test('unknown tags, malformed tags and the prompts of another workspace are refused', async () => {
    const { store, workspaceId, list } = await tracked(await open());
    const foreign = await tracked({ store });
    await writeRows(store, foreign.workspaceId, { prompts: [aPrompt({ id: idOf(9) })] });
    const tag = (ids: readonly string[], text: string) =>
      tagPrompts(store, workspaceId, { ids, tag: text });
    await expect(tag([idOf(1), idOf(9)], 'CRM')).rejects.toMatchObject({
      code: 'prompt_not_found',
      facts: { prompt: idOf(9) },
    });
    await expect(tag([idOf(1)], 'a, b')).rejects.toThrow('tag_malformed');
    expect(await list()).toEqual([]);
    await tag([idOf(1)], 'CRM');
    await expect(
      setOutsideMarket(store, workspaceId, { tag: 'CRN', isOutside: true }),
    ).rejects.toMatchObject({ code: 'tag_not_found', facts: { nearest: 'CRM' } });
    const ofOther = { ids: [idOf(1)], tag: 'CRM' };
    await expect(untagPrompts(store, foreign.workspaceId, ofOther)).rejects.toThrow(
      'tag_not_found',
    );
    await expect(renameTag(store, workspaceId, { from: 'x', to: 'y' })).rejects.toThrow(
      'tag_not_found',
    );
    expect(await foreign.list()).toEqual([]);
  });
});

/** A workspace with three prompts. */
async function tracked({ store }: { store: Store }) {
  const workspaceId = await aWorkspace(store);
  const prompts = [1, 2, 3].map((number) =>
    aPrompt({ id: idOf(number), text: `Which, ${number}?` }),
  );
  await writeRows(store, workspaceId, { prompts });
  return { store, workspaceId, list, revision };

  async function list(): Promise<string[]> {
    const tags = await readTags(store.reader, workspaceId);
    return tags.map(({ tag, prompts: count, topicOf, isOutsideMarket }) =>
      [tag, count, topicOf, ...(isOutsideMarket ? ['outside'] : [])].join(' '),
    );
  }

  async function revision(): Promise<string | undefined> {
    const query = store.reader.selectFrom('revisions').select('revision');
    return (await query.where('workspace_id', '=', workspaceId).executeTakeFirst())?.revision;
  }
}
