import { readProposals } from '../answers/engine-proposals.ts';
import type { Store } from '../storage/store.ts';
import type { AskingOrder } from './do-ask.ts';
import { doTest } from './do-test.ts';
import type { JobTools } from './job-tools.ts';
import type { ProposeWork } from './work.ts';

/** A longer answer has no more proposals than are read. */
const textLengthMax = 40_000;

/**
 * Asks an engine for competitors, spellings and questions. Keeps its answer as evidence, and the proposals
 * as JSON, one an entry.
 */
export async function doPropose(
  store: Store,
  work: ProposeWork,
  tools: Pick<JobTools, 'clock' | 'signal'> & { asking: AskingOrder },
): Promise<Record<string, number | string[]>> {
  const result = await doTest(store, work, { ...tools, textLengthMax });
  const { text } = result;
  const proposals = readProposals(Array.isArray(text) ? (text[0] ?? '') : '');
  return { ...result, proposals: proposals === undefined ? [] : [JSON.stringify(proposals)] };
}
