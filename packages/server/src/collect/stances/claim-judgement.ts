import { Refusal } from '../../refusals.ts';
import type { Ledger } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import type { Shortage } from '../ledger/budgets.ts';
import type { AskedEngine } from '../ledger/engines-to-ask.ts';
import { claimQuestion } from '../ledger/paid-question.ts';
import type { PaidClaim } from '../ledger/paid-question.ts';
import { judgeBound } from './judge-engine.ts';
import { selectStanceBudget } from './stance-budgets.ts';
import { toAsked } from './stance-question.ts';
import type { StanceQuestion } from './stance-question.ts';

/** How often a question that its engine refuses is asked, in as many runs. */
export const attemptsMax = 3;

/** No search is made, so the place does not matter. */
const locale = 'en-US';

/**
 * Claims one judgement and reserves its bound. A refused question was not billed, so a later run may
 * ask it again. Undefined if another process has claimed it. Throws a `Refusal` if the workspace has
 * another judge by now.
 */
export async function claimJudgement(
  ledger: Ledger,
  { judgement, engine, nowMs }: { judgement: StanceQuestion; engine: AskedEngine; nowMs: number },
): Promise<PaidClaim | Shortage | undefined> {
  const { workspaceId, id, runId, question: text } = judgement;
  const { name, timeoutMs } = engine;
  const day = utcDay(nowMs);
  const asked = {
    table: 'judgements',
    workspaceId,
    id,
    engine: name,
    day,
    question: { text, locale },
    boundMicros: judgeBound(engine, text) ?? engine.boundMicros,
  } as const;
  return claimQuestion(ledger, asked, { nowMs, timeoutMs }, async (transaction, columns) => {
    const budget = await selectStanceBudget(transaction, workspaceId);
    if (budget?.engine !== name) throw new Refusal('stance_judge_missing', {});
    const sent = { ...columns, day, asked: toAsked(judgement, engine.kind), fault: null };
    const row = await transaction
      .insertInto('judgements')
      .values({ workspace_id: workspaceId, id, run_id: runId, engine: name, attempts: 1, ...sent })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'id'])
          .doUpdateSet((update) => ({
            ...sent,
            attempts: update('judgements.attempts', '+', 1),
          }))
          .where((is) =>
            is.or([
              is('judgements.state', '=', 'planned'),
              is.and([
                is('judgements.state', '=', 'failed'),
                is('judgements.attempts', '<', attemptsMax),
              ]),
            ]),
          ),
      )
      .returning('attempts')
      .executeTakeFirst();
    return row && { budget, attempts: row.attempts - 1 };
  });
}
