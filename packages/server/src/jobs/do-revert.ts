import { revertImport } from '../imports/revert-import.ts';
import { noteEvent } from '../people/events.ts';
import type { Store } from '../storage/store.ts';
import type { JobTools } from './job-tools.ts';
import type { RevertWork } from './work.ts';

/** Reverts an import. Doing it twice changes nothing more. */
export async function doRevert(
  store: Store,
  { importId, file }: RevertWork,
  { workspaceId, userId, clock }: JobTools,
): Promise<Record<string, number>> {
  const { removed, kept, scores, record } = await revertImport(store, {
    workspaceId,
    id: importId,
    revertedBy: userId ?? undefined,
    clock,
  });
  if (record.reverted_at === null) {
    const note = { workspaceId, kind: 'import_reverted', facts: { name: file } } as const;
    await noteEvent(store.access, { userId, clock }, note);
  }
  const keptRows = kept.reduce((sum, { rows }) => sum + rows, 0);
  return { ...removed, keptRows, changedScores: scores.length };
}
