import type { Store } from '../../storage/store.ts';

/**
 * Says, after a subject changed, that stored answers were judged by the subjects as they were.
 * Empty where no answer is stored.
 */
export async function redetectHint(
  store: Store,
  workspaceId: string,
  slug: string,
): Promise<string> {
  const stored = await store.reader
    .selectFrom('answers')
    .select('run_id')
    .where('workspace_id', '=', workspaceId)
    .limit(1)
    .executeTakeFirst();
  return stored === undefined
    ? ''
    : `\nStored answers were judged before. To judge them again: overheard answers redetect --workspace ${slug} --dry-run`;
}
