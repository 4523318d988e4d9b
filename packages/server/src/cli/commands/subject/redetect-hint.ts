import type { Store } from '../../../storage/store.ts';

/**
 * After a change of a subject, says that stored answers were judged by the subjects before it.
 * Undefined if no answer is stored.
 */
export async function redetectHint(
  store: Store,
  workspaceId: string,
  slug: string,
): Promise<string | undefined> {
  const stored = await store.reader
    .selectFrom('answers')
    .select('run_id')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst();
  return stored === undefined
    ? undefined
    : `Stored answers were judged by the earlier subjects. To judge them again: overheard answers redetect --workspace ${slug} --dry-run`;
}
