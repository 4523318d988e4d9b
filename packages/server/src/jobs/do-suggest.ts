import { findUntracked } from '../answers/untracked/find-untracked.ts';
import type { Store } from '../storage/store.ts';
import type { JobTools } from './job-tools.ts';

const answersMax = 2000;
const rowsMax = 20;

/**
 * Looks for names and sites that recur in the latest answers and that nobody tracks. Stores each as
 * JSON.
 */
export async function doSuggest(
  { reader }: Store,
  { workspaceId, signal }: JobTools,
): Promise<{ answers: number; found: string[] }> {
  const options = { answersMax, rowsMax, signal };
  const { answers, names, sites } = await findUntracked(reader, workspaceId, options);
  return { answers, found: [...names, ...sites].map((one) => JSON.stringify(one)) };
}
