import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { Refusal } from '../../refusals.ts';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger } from '../../storage/store.ts';
import { utcDay } from '../../values/time/utc-day.ts';
import type { QuestionClaim } from '../ask-in-turn.ts';
import { book, hold } from '../ledger/budgets.ts';
import type { Shortage } from '../ledger/budgets.ts';
import { ShortOf } from '../ledger/claim.ts';
import type { AskedEngine } from '../ledger/engines-to-ask.ts';
import { packBodies } from '../ledger/kept-bodies.ts';
import { bookForOperator } from '../ledger/operator-budgets.ts';
import type { Settlement } from '../ledger/settle.ts';
import { judgeBound } from './judge-engine.ts';
import { toAsked } from './stance-question.ts';
import type { StanceQuestion } from './stance-question.ts';
import { selectStanceBudget } from './stance-budgets.ts';

/** A judgement that only this process may send and settle. */
export interface JudgementClaim extends QuestionClaim {
  readonly judgement: StanceQuestion;
  readonly engine: string;
  readonly day: string;
  readonly token: string;
}

/** How often a question that its engine refuses is asked, in as many runs. */
export const attemptsMax = 3;

/** No search is made, so the place does not matter. */
const locale = 'en-US';

/**
 * Claims one judgement and reserves its bound, in one transaction that is on the disk before
 * anything is sent. A refused question was not billed, so a later run may ask it again. Undefined if
 * another process has claimed it. Throws a `Refusal` if the workspace has another judge by now.
 */
export async function claimJudgement(
  ledger: Ledger,
  { judgement, engine, nowMs }: { judgement: StanceQuestion; engine: AskedEngine; nowMs: number },
): Promise<JudgementClaim | Shortage | undefined> {
  const { workspaceId, id, runId, question: text } = judgement;
  const token = randomUUID();
  const day = utcDay(nowMs);
  const boundMicros = judgeBound(engine, text) ?? engine.boundMicros;
  const now = new Date(nowMs).toISOString();
  // Twice the time limit, because writing the answer takes time, too.
  const leaseUntil = new Date(nowMs + 2 * engine.timeoutMs).toISOString();
  const sent = {
    day,
    state: 'sent',
    claim: token,
    sent_at: now,
    lease_until: leaseUntil,
    asked: toAsked(judgement, engine.kind),
    bound_micros: boundMicros,
    fault: null,
  } as const;
  try {
    const attempts = await ledger.write(async (transaction) => {
      const budget = await selectStanceBudget(transaction, workspaceId);
      if (budget?.engine !== engine.name) throw new Refusal('stance_judge_missing', {});
      const row = await transaction
        .insertInto('judgements')
        .values({
          workspace_id: workspaceId,
          id,
          run_id: runId,
          engine: engine.name,
          attempts: 1,
          ...sent,
        })
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
      if (row === undefined) return undefined;
      const purse = { workspaceId, budget: 'stance', engine: engine.name, day, token } as const;
      const holding = { boundMicros, now, leaseUntil };
      const shortage = await hold(transaction, { ...purse, allowance: budget }, holding);
      if (shortage !== undefined) throw new ShortOf(shortage);
      return row.attempts - 1;
    });
    if (attempts === undefined) return undefined;
    const question = { text, locale };
    return { id, attempts, judgement, engine: engine.name, day, token, question, boundMicros };
  } catch (error) {
    if (error instanceof ShortOf) return error.shortage;
    throw error;
  }
}

/**
 * Ends a judgement in one transaction: writes its state and evidence, and books the reserved money as
 * spent. A judgement that has been marked unknown meanwhile gets its true end, and its stances are
 * stored again.
 */
export async function settleJudgement(
  ledger: Ledger,
  claim: JudgementClaim,
  { state, costMicros, facts, evidence }: Settlement,
  tries: number,
): Promise<void> {
  const { judgement, engine, day, token, boundMicros } = claim;
  const { workspaceId, id } = judgement;
  const { cost_basis = null, fault = null, request_id = null, model = null } = facts;
  const packed = evidence && packBodies(evidence);
  await ledger.write(async (transaction) => {
    for (const from of ['sent', 'unknown'] as const) {
      const { numUpdatedRows } = await transaction
        .updateTable('judgements')
        .set({
          state,
          cost_basis,
          fault,
          request_id,
          model,
          cost_micros: costMicros,
          handed_at: null,
        })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', from)
        .where('claim', '=', token)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      const isHeld = from === 'sent';
      await book(
        transaction,
        { workspaceId, budget: 'stance', engine, day, token },
        {
          releasedMicros: isHeld ? boundMicros : 0,
          spentMicros: isHeld ? costMicros : costMicros - boundMicros,
        },
      );
      if (packed === undefined) return;
      await transaction
        .insertInto('bodies')
        .values({ workspace_id: workspaceId, reading_id: id, ...packed })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'reading_id']).doUpdateSet(packed),
        )
        .execute();
      return;
    }
    if (tries === 0) await bookIfRemoved(transaction, claim, costMicros);
  });
}

/** Corrects the charge of a question whose workspace was removed, as for readings. */
async function bookIfRemoved(
  transaction: Transaction<LedgerTables>,
  { judgement: { workspaceId, id }, engine, day, token, boundMicros }: JudgementClaim,
  spentMicros: number,
): Promise<void> {
  const row = await transaction
    .selectFrom('judgements')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row !== undefined) return;
  const money = { releasedMicros: 0, spentMicros: spentMicros - boundMicros };
  await bookForOperator(transaction, { engine, day, token }, money);
}

/** Gives back a judgement that was certainly not billed, so that it may be sent again. */
export async function releaseJudgement(
  ledger: Ledger,
  claim: JudgementClaim,
  fault: string,
  tries: number,
): Promise<void> {
  const { judgement, engine, day, token, boundMicros } = claim;
  const { workspaceId, id } = judgement;
  await ledger.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('judgements')
      .set({ state: 'planned', claim: null, lease_until: null, fault })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'sent')
      .where('claim', '=', token)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      if (tries === 0) await bookIfRemoved(transaction, claim, 0);
      return;
    }
    const purse = { workspaceId, budget: 'stance', engine, day, token } as const;
    await book(transaction, purse, { releasedMicros: boundMicros, spentMicros: 0 });
  });
}

/**
 * Ends judgements that no process will end any more: they become unknown, are charged at their
 * bound, and are never sent again.
 */
export async function reapJudgements(
  ledger: Ledger,
  { workspaceId, nowMs }: { workspaceId: string; nowMs: number },
): Promise<void> {
  const lost = await ledger.db
    .selectFrom('judgements')
    .select(['id', 'engine', 'day', 'claim', 'bound_micros'])
    .where('workspace_id', '=', workspaceId)
    .where('state', '=', 'sent')
    .where('lease_until', '<', new Date(nowMs).toISOString())
    .execute();
  for (const { id, engine, day, claim: token, bound_micros: bound } of lost) {
    const boundMicros = bound ?? 0;
    await ledger.write(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('judgements')
        .set({ state: 'unknown', fault: 'lost', cost_micros: boundMicros, cost_basis: 'bound' })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', 'sent')
        .where('claim', '=', token)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return;
      const purse = { workspaceId, budget: 'stance', engine, day, token } as const;
      await book(transaction, purse, { releasedMicros: boundMicros, spentMicros: boundMicros });
    });
  }
}
