import { Refusal } from '../refusals.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';

/**
 * Switches prompts on or off: only those that are on are put to engines, for money. Returns how many
 * changed. Throws a `Refusal` for an id that the workspace does not have.
 */
export async function switchPrompts(
  store: Store,
  workspaceId: string,
  { ids, isOn }: { ids: readonly string[] | 'all'; isOn: boolean },
): Promise<number> {
  const { count } = await writeWorkspace(store, workspaceId, async (transaction) => {
    const rows = await transaction
      .selectFrom('prompts')
      .select(['id', 'collect'])
      .where('workspace_id', '=', workspaceId)
      .execute();
    const known = new Map(rows.map(({ id, collect }) => [id, Boolean(collect)]));
    const wanted = ids === 'all' ? [...known.keys()] : ids;
    const missing = wanted.find((id) => !known.has(id));
    if (missing !== undefined) throw new Refusal('prompt_not_found', { id: missing });
    const changed = wanted.filter((id) => known.get(id) !== isOn);
    for (const id of changed) {
      await transaction
        .updateTable('prompts')
        .set({ collect: isOn })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    }
    // The API does not show this, so the revision stays.
    return { hasChanged: false, count: new Set(changed).size };
  });
  return count;
}
