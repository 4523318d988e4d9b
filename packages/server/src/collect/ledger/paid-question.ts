import { randomUUID } from 'node:crypto';
import type { Transaction, Updateable } from 'kysely';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger } from '../../storage/store.ts';
import type { Question } from '../engines/engine.ts';
import { book, hold } from './budgets.ts';
import type { Budget, Shortage } from './budgets.ts';
import { packBodies } from './kept-bodies.ts';
import type { ReadingEvidence } from './kept-bodies.ts';
import { bookForOperator } from './operator-budgets.ts';
import { reapTests } from './pay-test.ts';
import type { PaidTable } from './periods.ts';

/** A question that only this process may send and settle. */
export interface PaidClaim {
  readonly table: PaidTable;
  readonly workspaceId: string;
  readonly id: string;
  readonly engine: string;
  /** The UTC day whose budget pays. */
  readonly day: string;
  /** The token that proves the claim. */
  readonly token: string;
  /** How often the question was sent before. */
  readonly attempts: number;
  readonly question: Question;
  readonly boundMicros: number;
}

/** The columns of a question that is sent. */
type SentColumns = ReturnType<typeof sentColumns>;

/** Thrown to roll back a transaction if a budget is too small. */
class ShortOf extends Error {
  readonly shortage: Shortage;
  constructor(shortage: Shortage) {
    super(shortage);
    this.shortage = shortage;
  }
}

/**
 * Claims one question and reserves its bound, in one transaction that is on the disk before anything
 * is sent. `take` writes the columns into its row, and returns the budget; undefined if the question is
 * not asked any more, or another process has claimed it.
 */
export async function claimQuestion(
  ledger: Ledger,
  asked: Omit<PaidClaim, 'token' | 'attempts'>,
  { nowMs, timeoutMs }: { nowMs: number; timeoutMs: number },
  take: (
    transaction: Transaction<LedgerTables>,
    sent: SentColumns,
  ) => Promise<{ budget: Budget; attempts: number } | 'over_budget' | undefined>,
): Promise<PaidClaim | Shortage | undefined> {
  const token = randomUUID();
  const { boundMicros } = asked;
  const sent = sentColumns(token, { boundMicros, nowMs, timeoutMs });
  try {
    return await ledger.write(async (transaction) => {
      const taken = await take(transaction, sent);
      if (taken === undefined || taken === 'over_budget') return taken;
      const claim = { ...asked, token, attempts: taken.attempts };
      const holding = { boundMicros, now: sent.sent_at, leaseUntil: sent.lease_until };
      const shortage = await hold(transaction, { ...claim, budget: taken.budget }, holding);
      if (shortage !== undefined) throw new ShortOf(shortage);
      return claim;
    });
  } catch (error) {
    if (error instanceof ShortOf) return error.shortage;
    throw error;
  }
}

function sentColumns(
  token: string,
  { boundMicros, nowMs, timeoutMs }: { boundMicros: number; nowMs: number; timeoutMs: number },
) {
  return {
    state: 'sent',
    claim: token,
    sent_at: new Date(nowMs).toISOString(),
    // Twice the time limit, because writing the answer takes time, too.
    lease_until: new Date(nowMs + 2 * timeoutMs).toISOString(),
    bound_micros: boundMicros,
  } as const;
}

/** The end of a question that was sent. */
export interface Settlement {
  readonly state: 'done' | 'failed' | 'unknown';
  readonly costMicros: number;
  readonly facts: Pick<
    Updateable<LedgerTables['readings']>,
    'cost_basis' | 'listed_micros' | 'fault' | 'request_id' | 'model' | 'searches' | 'outcome'
  >;
  readonly evidence?: ReadingEvidence | undefined;
}

/**
 * Ends a question in one transaction: writes its state and evidence, and books the reserved money as
 * spent. A question that has been marked unknown meanwhile gets its true end, which is handed over
 * again.
 */
export async function settle(
  ledger: Ledger,
  claim: PaidClaim,
  { state, costMicros, facts, evidence }: Settlement,
  tries: number,
): Promise<void> {
  const { table, workspaceId, id, boundMicros } = claim;
  const { listed_micros, searches, outcome, ...shared } = facts;
  const columns = {
    ...shared,
    ...(table === 'readings' && { listed_micros, searches, outcome }),
    state,
    cost_micros: costMicros,
    handed_at: null,
  };
  const packed = evidence && packBodies(evidence);
  await ledger.write(async (transaction) => {
    for (const from of ['sent', 'unknown'] as const) {
      if (!(await change(transaction, claim, from, columns))) continue;
      const money =
        from === 'sent'
          ? { releasedMicros: boundMicros, spentMicros: costMicros }
          : { releasedMicros: 0, spentMicros: costMicros - boundMicros };
      await book(transaction, claim, money);
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

/** Gives back a question that was certainly not billed, so that it may be sent again. */
export async function release(
  ledger: Ledger,
  claim: PaidClaim,
  fault: string,
  tries: number,
): Promise<void> {
  const columns = { state: 'planned', claim: null, lease_until: null, fault } as const;
  await ledger.write(async (transaction) => {
    if (await change(transaction, claim, 'sent', columns)) {
      await book(transaction, claim, { releasedMicros: claim.boundMicros, spentMicros: 0 });
    } else if (tries === 0) await bookIfRemoved(transaction, claim, 0);
  });
}

/**
 * Ends questions that no process will end any more: one whose process died becomes unknown, is charged
 * at its bound, and is never sent again.
 */
export async function reap(
  ledger: Ledger,
  { workspaceId, nowMs }: { workspaceId: string; nowMs: number },
): Promise<void> {
  await reapTests(ledger, nowMs);
  for (const table of ['readings', 'judgements'] as const) {
    const lost = await ledger.db
      .selectFrom(table)
      .select(['id', 'engine', 'day', 'claim as token', 'bound_micros'])
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'sent')
      .where('lease_until', '<', new Date(nowMs).toISOString())
      .execute();
    for (const { bound_micros: bound, ...question } of lost) {
      const cost_micros = bound ?? 0;
      const columns = {
        state: 'unknown',
        fault: 'lost',
        cost_micros,
        cost_basis: 'bound',
      } as const;
      await ledger.write(async (transaction) => {
        const purse = { table, workspaceId, ...question };
        if (!(await change(transaction, purse, 'sent', columns))) return;
        const money = { releasedMicros: cost_micros, spentMicros: cost_micros };
        await book(transaction, purse, money);
      });
    }
  }
}

/** Changes the row of a question that this claim still has in a state. False if it has not. */
async function change(
  transaction: Transaction<LedgerTables>,
  {
    table,
    workspaceId,
    id,
    token,
  }: Pick<PaidClaim, 'table' | 'workspaceId' | 'id'> & { readonly token: string | null },
  from: 'sent' | 'unknown',
  columns: Updateable<LedgerTables['readings']>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable(table)
    .set(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', from)
    .where('claim', '=', token)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Removing a workspace charges the operator the bounds of its open questions. This corrects the
 * charge, but only on the first try, because nothing shows whether an earlier try was committed.
 * After a failed first try the bound stays charged.
 */
async function bookIfRemoved(
  transaction: Transaction<LedgerTables>,
  claim: PaidClaim,
  spentMicros: number,
): Promise<void> {
  const row = await transaction
    .selectFrom(claim.table)
    .select('id')
    .where('workspace_id', '=', claim.workspaceId)
    .where('id', '=', claim.id)
    .executeTakeFirst();
  if (row !== undefined) return;
  const money = { releasedMicros: 0, spentMicros: spentMicros - claim.boundMicros };
  await bookForOperator(transaction, claim, money);
}
