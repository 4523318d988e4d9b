import { engineFetches } from '../collect/ask/engine-fetch.ts';
import { requireEngine } from '../collect/engine-settings.ts';
import { testEngine } from '../collect/test-engine.ts';
import type { Store } from '../storage/store.ts';
import type { AskingOrder } from './do-ask.ts';
import type { JobTools } from './job-tools.ts';
import type { ProposeWork, TestWork } from './work.ts';
import { readProposals } from '../answers/engine-proposals.ts';

const shownLengthMax = 4000;

/** Puts a test question to an engine. Keeps the beginning of the answer, its sources and its cost. */
export async function doTest(
  store: Store,
  { engine: name, text, locale }: Omit<TestWork, 'kind'>,
  {
    asking,
    clock,
    signal,
    textLengthMax = shownLengthMax,
  }: Pick<JobTools, 'clock' | 'signal'> & { asking: AskingOrder; textLengthMax?: number },
): Promise<Record<string, number | string[]>> {
  const settings = await requireEngine(store.access, name);
  const { answer, cost } = await testEngine(store, {
    ...asking,
    settings,
    question: { text, locale },
    clock,
    signal,
    fetchFor: engineFetches({ mayReachPrivate: false }),
  });
  const { fault } = answer;
  return {
    text: [answer.text.slice(0, textLengthMax)],
    sources: answer.sources.map(({ url }) => url),
    model: answer.model === null ? [] : [answer.model],
    fault: fault === undefined ? [] : [fault.kind, fault.code ?? ''],
    ...(cost !== undefined && { costMicros: Math.round(cost.usd * 1e6) }),
  };
}

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
