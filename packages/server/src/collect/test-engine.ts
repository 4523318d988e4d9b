import type { Store } from '../storage/store.ts';
import { askEngine } from './ask/ask-engine.ts';
import type { EngineFetch } from './ask/engine-fetch.ts';
import { engineOfKind, targetOf } from './engine-settings.ts';
import type { EngineSettings } from './engine-settings.ts';
import { costOf } from './engines/cost.ts';
import type { AnswerCost } from './engines/cost.ts';
import type { Engine, EngineAnswer, Question, Target } from './engines/engine.ts';
import { withPrices } from './engines/prices.ts';
import type { PriceRow } from './engines/prices.ts';
import { readEngineKey } from './keys/engine-key.ts';
import type { Environment } from './keys/secret-variable.ts';
import { endingOf } from './ledger/ending.ts';
import { boundOf } from './ledger/paced-engines.ts';
import { payTest } from './ledger/pay-test.ts';

/** A test question and everything that it needs. */
interface EngineTest {
  readonly settings: EngineSettings;
  readonly question: Question;
  readonly environment: Environment;
  readonly prices: readonly PriceRow[];
  readonly clock: () => number;
  readonly signal: AbortSignal;
  readonly fetchFor: (engine: { isOwn?: boolean }) => EngineFetch;
}

/** An answer to a test question. */
export interface EngineTestResult {
  readonly engine: Engine;
  readonly target: Target;
  readonly answer: EngineAnswer;
  /** Undefined if the price is unknown. */
  readonly cost: AnswerCost | undefined;
}

/** Models that think search for minutes. */
const timeoutMs = 600_000;

/**
 * Asks an engine one question within the operator's caps, and books its cost. Stores nothing else.
 * Without a store
 * there are no caps. Throws a `Refusal` without a key, or if a cap would be exceeded.
 */
export async function testEngine(
  store: Store | undefined,
  { settings, question, environment, prices, clock, signal, fetchFor }: EngineTest,
): Promise<EngineTestResult> {
  const { name } = settings;
  const engine = withPrices(engineOfKind(settings.kind), name, {
    rows: prices,
    nowMs: clock(),
  });
  const target = targetOf(settings);
  const keyed = { ...settings, isOwn: engine.isOwn === true };
  const key = await readEngineKey(store, environment, keyed);
  const ask = async (boundMicros: number) => {
    const outcome = await askEngine(engine, {
      question,
      target,
      key,
      fetch: fetchFor(engine),
      clock,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const ending = endingOf({ adapter: engine, boundMicros }, outcome);
    const costMicros = ending.kind === 'settle' ? ending.settlement.costMicros : 0;
    return { answer: outcome.answer, costMicros };
  };
  const boundMicros = boundOf(engine, target, question.text);
  const test = { engine: name, model: target.model, boundMicros, timeoutMs };
  const { answer } =
    store === undefined ? await ask(boundMicros ?? 0) : await payTest(store, test, { clock, ask });
  return { engine, target, answer, cost: costOf(engine, answer) };
}
