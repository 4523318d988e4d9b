import { noteEvent } from '../people/events.ts';
import type { Store } from '../storage/store.ts';
import { removeWorkspace } from '../workspaces/remove-workspace.ts';
import type { DoneBy } from './job-tools.ts';

/** Removes a workspace, and this job with it: a failure is for the log, because no page can show it. */
export async function doRemove(
  store: Store,
  { slug }: { slug: string },
  { workspaceId, userId, clock }: DoneBy,
): Promise<Record<string, number>> {
  try {
    await removeWorkspace(store, workspaceId);
  } catch (error) {
    throw new Error(`The workspace ${slug} could not be removed`, { cause: error });
  }
  const event = { kind: 'workspace_removed', facts: { name: slug } } as const;
  await noteEvent(store.access, { userId, clock }, event);
  return {};
}
