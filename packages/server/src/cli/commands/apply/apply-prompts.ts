import { Readable } from 'node:stream';
import { switchPrompts } from '../../../collect/prompts.ts';
import { readTagsByPrompt } from '../../../storage/prompt-tags.ts';
import { importRows } from '../../../transfer/import-rows.ts';
import { prompts as promptResource } from '../../../transfer/resources/prompts.ts';
import { plural } from '../../../values/plural.ts';
import { tagKey } from '../../../values/tag.ts';
import { tagPrompts, untagPrompts } from '../../../workspaces/tags.ts';
import type { Place } from './place.ts';
import type { DescribedWorkspace } from './workspace-file.ts';

/** Imports new and changed prompts, which is listed and can be reverted as any import. */
export async function applyPrompts(place: Place): Promise<void> {
  const { store, workspaceId, described, prunes, clock, file, fileName, path, change } = place;
  const { prompts } = described;
  if (prompts === undefined) return;
  const rows = await store.reader
    .selectFrom('prompts')
    .select(['id', 'text', 'active', 'collect'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const storedById = new Map(rows.map((row) => [row.id, row]));
  const added = prompts.filter(({ id }) => !storedById.has(id));
  const changed = prompts.filter(({ id, active, collect }) => {
    const stored = storedById.get(id);
    const differs = (wanted: boolean | undefined, is: unknown) =>
      wanted !== undefined && wanted !== Boolean(is);
    return stored && (differs(active, stored.active) || differs(collect, stored.collect));
  });
  const written = [...added, ...changed].map(({ text, language, locale, active, collect }) =>
    JSON.stringify({
      text,
      language,
      locale,
      active,
      ...(collect !== undefined && { collect: collect ? 'on' : 'off' }),
    }),
  );
  if (written.length > 0) {
    const stream = Readable.from([Buffer.from(written.join('\n'))]);
    await file.at([...path, 'prompts'], () =>
      importRows(store, {
        workspaceId,
        resource: promptResource,
        source: { name: fileName, stream, bytesTotal: undefined },
        format: 'ndjson',
        clock,
      }),
    );
  }
  const textsOf = (list: ReadonlyArray<{ readonly text: string }>) => list.map(({ text }) => text);
  change('prompt', 'added', textsOf(added));
  change('prompt', 'changed', textsOf(changed));
  await applyTags(place, prompts);
  if (!prunes) return;
  const wanted = new Set(prompts.map(({ id }) => id));
  const left = rows.filter(({ id, active }) => Boolean(active) && !wanted.has(id));
  const ids = left.map(({ id }) => id);
  if (ids.length > 0) await switchPrompts(store, workspaceId, { ids, isOn: false, what: 'active' });
  change('prompt', 'switched off', textsOf(left));
}

/** Gives described prompts their tags and topics. `prunes` takes tags that a prompt's list leaves out. */
async function applyTags(
  { store, workspaceId, prunes, file, path, change }: Place,
  prompts: NonNullable<DescribedWorkspace['prompts']>,
): Promise<void> {
  const stored = await readTagsByPrompt(store.reader, workspaceId);
  for (const isTopic of [false, true]) {
    const missing = prompts.flatMap(({ id, tags = [], topic }) => {
      const wanted = isTopic ? [topic ?? []].flat() : tags;
      const own = [...(stored.get(id) ?? [])].filter(([, isOne]) => isOne || !isTopic);
      const keys = new Set(own.map(([tag]) => tagKey(tag)));
      return wanted.flatMap((tag) => (keys.has(tagKey(tag)) ? [] : { id, tag }));
    });
    for (const [tag, ids] of byTag(missing)) {
      await file.at([...path, 'prompts'], () =>
        tagPrompts(store, workspaceId, { ids, tag, isTopic }),
      );
      change('tag', 'added', [`${tag}: ${plural(ids.length, 'prompt')}`]);
    }
  }
  const left = prompts.flatMap(({ id, tags, topic }) => {
    if (!prunes || tags === undefined) return [];
    const wanted = new Set([...tags, topic ?? ''].map(tagKey));
    const given = [...(stored.get(id)?.keys() ?? [])];
    return given.filter((tag) => !wanted.has(tagKey(tag))).map((tag) => ({ id, tag }));
  });
  for (const [tag, ids] of byTag(left)) {
    await untagPrompts(store, workspaceId, { ids, tag });
    change('tag', 'removed', [`${tag}: ${plural(ids.length, 'prompt')}`]);
  }
}

/** The ids of prompts by tag. */
function byTag(rows: ReadonlyArray<{ readonly id: string; readonly tag: string }>) {
  const groups = Map.groupBy(rows, ({ tag }) => tag);
  return [...groups].map(([tag, each]) => [tag, each.map(({ id }) => id)] as const);
}
