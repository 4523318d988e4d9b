import { deriveActions } from '../answers/actions/derive.ts';
import { publishMonths } from '../publishing/publish-months.ts';
import type { Store } from '../storage/store.ts';
import type { JobTools } from './job-tools.ts';

/** Publishes the months that are over, and finds the gaps of a workspace. Doing it twice changes nothing more. */
export async function doGaps(
  store: Store,
  { workspaceId, clock }: Pick<JobTools, 'workspaceId' | 'clock'>,
): Promise<{ prompts: number; gaps: number }> {
  await publishMonths(store, workspaceId, clock);
  const { prompts, opened } = await deriveActions(store, { workspaceId, clock });
  return { prompts, gaps: opened.length };
}
