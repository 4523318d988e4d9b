import { Refusal } from '../refusals.ts';
import { inChunks } from '../storage/chunks.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

/**
 * The two switches of a prompt. `collect`: Overheard asks engines only prompts that have it on,
 * which costs money. `active`: a prompt that has it off stays stored but is not asked.
 */
export type PromptSwitch = 'collect' | 'active';

const idsAtOnce = 256;

/**
 * Switches prompts on or off. Returns how many changed. Throws a `Refusal` for an id that the workspace
 * does not have.
 */
export async function switchPrompts(
  store: Store,
  workspaceId: string,
  {
    ids,
    isOn,
    what = 'collect',
  }: { ids: readonly string[] | 'all'; isOn: boolean; what?: PromptSwitch },
): Promise<number> {
  const { count } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const rows = await transaction
      .selectFrom('prompts')
      .select(['id', what])
      .where('workspace_id', '=', workspaceId)
      .execute();
    const stateById = new Map(rows.map((row) => [row.id, Boolean(row[what])]));
    const wanted = ids === 'all' ? [...stateById.keys()] : [...new Set(ids)];
    const missing = wanted.find((id) => !stateById.has(id));
    if (missing !== undefined) throw new Refusal('prompt_not_found', { prompt: missing });
    const changed = wanted.filter((id) => stateById.get(id) !== isOn);
    for (const chunk of inChunks(changed, idsAtOnce)) {
      await transaction
        .updateTable('prompts')
        .set({ [what]: isOn })
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', chunk)
        .execute();
    }
    // Pages show both columns, so a change of either needs a new revision.
    return { hasChanged: changed.length > 0, count: changed.length };
  });
  return count;
}
