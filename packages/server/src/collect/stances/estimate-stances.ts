import {
  readCitationsToJudge,
  listAnswersToJudge,
} from '../../answers/stances/answers-to-judge.ts';
import { createPreparer } from '../../answers/stances/prepare.ts';
import { writeQuestion } from '../../answers/stances/question.ts';
import { readRunsById } from '../../answers/read-stored-runs.ts';
import { readSubjects } from '../../answers/subjects.ts';
import { Refusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';
import { addDays, utcDay } from '../../values/time/utc-day.ts';
import { costWithoutSearch } from '../engines/cost.ts';
import type { PriceRow } from '../engines/prices.ts';
import { toMicros, toUsd } from '../ledger/micros.ts';
import { requireLedger } from '../ledger/require-ledger.ts';
import { judgedDays } from './judge-answers.ts';
import { readJudgeEngine } from './judge-engine.ts';
import { readStanceBudget, usualSample } from './stance-budgets.ts';

/** What judging would cost. */
export interface StanceEstimate {
  readonly engine: string;
  readonly model: string;
  /** Answers of each prompt, engine and ISO week; null for all. */
  readonly sample: number | null;
  /** UTC days, both included. */
  readonly from: string;
  readonly to: string;
  /** Answers that are not judged yet, of which some need no question. */
  readonly answers: number;
  /** Questions to the judge. */
  readonly questions: number;
  /** Subjects of these questions. */
  readonly subjects: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /**
   * `ledger`: the mean of the last judgements. `prices`: the price list. `bound`: the most that the
   * questions may cost. `unknown`: neither is known.
   */
  readonly basis: 'ledger' | 'prices' | 'bound' | 'unknown';
  readonly usd: number | null;
}

interface EstimateOptions {
  /** The judge and its sample, if they are not set or others are considered. */
  readonly engine?: string | undefined;
  readonly sample?: number | null | undefined;
  readonly prices?: readonly PriceRow[];
  readonly clock: () => number;
}

/** Answers whose questions are written to learn their length. */
const writtenMax = 200;
/** Fewer judgements say little about their cost. */
const costsMin = 20;
const costDays = 30;
const costsMax = 1000;
/** Tokens of a verdict about one subject: two readers of real answers quoted 66 and 75 characters. */
const verdictTokens = 30;

/**
 * Estimates the cost of judging the answers that are not judged yet. Asks nothing and writes
 * nothing. Throws a `Refusal` if no judge is set or given, or it is off.
 */
export async function estimateStances(
  store: Store,
  workspaceId: string,
  options: EstimateOptions,
): Promise<StanceEstimate> {
  const { prices = [], clock } = options;
  const ledger = await requireLedger(store);
  const stored = await readStanceBudget(store, workspaceId, { clock });
  const judge = options.engine ?? stored?.engine;
  const { sample: usual } = stored ?? { sample: usualSample };
  const { sample = usual } = options;
  if (judge === undefined) throw new Refusal('stance_judge_missing', {});
  const engine = await readJudgeEngine(store, ledger, judge, { prices, clock });
  const to = utcDay(clock());
  const from = addDays(to, 1 - judgedDays);
  const runIds = await listAnswersToJudge(store, { workspaceId, judge, sample, from, to });
  const step = Math.max(1, runIds.length / writtenMax);
  const written = Array.from({ length: Math.min(writtenMax, runIds.length) }, (_, place) =>
    String(runIds[Math.floor(place * step)]),
  );
  const sums = await measure(store, { workspaceId, judge, runIds: written });
  const scale = (sum: number): number =>
    written.length === 0 ? 0 : Math.round((sum * runIds.length) / written.length);
  const questions = scale(sums.questions);
  const inputTokens = scale(sums.inputTokens);
  const outputTokens = scale(sums.subjects * verdictTokens);
  const mean = await meanMicros(ledger, { workspaceId, judge, today: utcDay(clock()) });
  const priced = costWithoutSearch(engine.adapter, engine.target, {
    input: inputTokens,
    output: outputTokens,
  });
  const facts = { engine: judge, model: engine.target.model, sample, from, to };
  const counts = { answers: runIds.length, questions, subjects: scale(sums.subjects) };
  const cost = ((): Pick<StanceEstimate, 'basis' | 'usd'> => {
    if (mean !== undefined) return { basis: 'ledger', usd: toUsd(Math.round(mean * questions)) };
    if (priced !== undefined) return { basis: 'prices', usd: toUsd(toMicros(priced)) };
    if (engine.boundMicros === undefined) return { basis: 'unknown', usd: null };
    return { basis: 'bound', usd: toUsd(engine.boundMicros * questions) };
  })();
  return { ...facts, ...counts, inputTokens, outputTokens, ...cost };
}

async function measure(
  store: Store,
  { workspaceId, judge, runIds }: { workspaceId: string; judge: string; runIds: readonly string[] },
): Promise<{ questions: number; subjects: number; inputTokens: number }> {
  const sums = { questions: 0, subjects: 0, inputTokens: 0 };
  if (runIds.length === 0) return sums;
  const prepare = createPreparer(await readSubjects(store.reader, workspaceId));
  const citations = await readCitationsToJudge(store, { workspaceId, judge }, runIds);
  for (const run of await readRunsById(store.reader, workspaceId, runIds)) {
    const { asked } = prepare(run, citations.get(run.id) ?? []);
    if (asked.length === 0) continue;
    sums.questions += 1;
    sums.subjects += asked.length;
    sums.inputTokens += countTokens(writeQuestion(run.answer, asked, run.id));
  }
  return sums;
}

/** About as many tokens as engines count: 4 Latin characters, and fewer of other scripts. */
function countTokens(text: string): number {
  const others = text.match(/[^\p{Script=Latin}\p{Script=Common}]/gu)?.length ?? 0;
  return Math.ceil((text.length - others) / 4 + others / 1.5);
}

/** The mean cost of the last judgements; undefined if there are few. */
async function meanMicros(
  { db }: Ledger,
  { workspaceId, judge, today }: { workspaceId: string; judge: string; today: string },
): Promise<number | undefined> {
  const rows = await db
    .selectFrom('judgements')
    .select('cost_micros')
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'done')
    .where('day', '>=', addDays(today, 1 - costDays))
    .where('engine', '=', judge)
    .orderBy('day', 'desc')
    .orderBy('id')
    .limit(costsMax)
    .execute();
  if (rows.length < costsMin) return undefined;
  return rows.reduce((sum, { cost_micros: cost }) => sum + (cost ?? 0), 0) / rows.length;
}
