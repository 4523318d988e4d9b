import { deriveActions } from '../answers/actions/derive.ts';
import type { Store } from '../storage/store.ts';
import type { JobTools } from './job-tools.ts';

/** Finds the gaps of a workspace. Doing it twice changes nothing more. */
export async function doGaps(
  store: Store,
  { workspaceId, clock }: Pick<JobTools, 'workspaceId' | 'clock'>,
): Promise<{ prompts: number; gaps: number }> {
  const { prompts, opened } = await deriveActions(store, { workspaceId, clock });
  return { prompts, gaps: opened.length };
}
