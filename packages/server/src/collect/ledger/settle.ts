import type { Transaction, Updateable } from 'kysely';
import type { LedgerTables } from '../../storage/schema.ts';
import type { Ledger } from '../../storage/store.ts';
import { book } from './budgets.ts';
import type { ReadingClaim } from './claim.ts';
import { bookForOperator } from './operator-budgets.ts';
import { packBodies } from './kept-bodies.ts';
import type { ReadingEvidence } from './kept-bodies.ts';

/** The end of a reading that was sent. */
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
 * Ends a reading in one transaction: writes its state and evidence, and books the reserved money as
 * spent. A reading that has been marked unknown meanwhile gets its true end. Returns false if the
 * reading no longer exists.
 */
export async function settle(
  ledger: Ledger,
  claim: ReadingClaim,
  { state, costMicros, facts, evidence }: Settlement,
  tries: number,
): Promise<boolean> {
  const { reading, token, boundMicros } = claim;
  const { workspace_id: workspaceId, id, engine, day } = reading;
  const packed = evidence && {
    workspace_id: workspaceId,
    reading_id: id,
    ...packBodies(evidence),
  };
  return ledger.write(async (transaction) => {
    for (const from of ['sent', 'unknown'] as const) {
      const { numUpdatedRows } = await transaction
        .updateTable('readings')
        .set({ ...facts, state, cost_micros: costMicros })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('state', '=', from)
        .where('claim', '=', token)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) continue;
      const isHeld = from === 'sent';
      await book(
        transaction,
        { workspaceId, engine, day, token },
        {
          releasedMicros: isHeld ? boundMicros : 0,
          spentMicros: isHeld ? costMicros : costMicros - boundMicros,
        },
      );
      if (packed !== undefined) {
        await transaction
          .insertInto('bodies')
          .values(packed)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      return true;
    }
    if (tries === 0) await bookIfRemoved(transaction, claim, costMicros);
    return false;
  });
}

/**
 * Removing a workspace charges the operator the bounds of its open questions. This corrects the
 * charge, but only on the first try, because nothing shows whether an earlier try was committed.
 * After a failed first try the bound stays charged.
 */
async function bookIfRemoved(
  transaction: Transaction<LedgerTables>,
  { reading, token, boundMicros }: ReadingClaim,
  spentMicros: number,
): Promise<void> {
  const { workspace_id: workspaceId, id, engine, day } = reading;
  const workspace = await transaction
    .selectFrom('readings')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (workspace !== undefined) return;
  const money = { releasedMicros: 0, spentMicros: spentMicros - boundMicros };
  await bookForOperator(transaction, { engine, day, token }, money);
}

/** Gives back a reading that was certainly not billed, so that it may be sent again. */
export async function release(
  ledger: Ledger,
  claim: ReadingClaim,
  fault: string,
  tries: number,
): Promise<void> {
  const { reading, token, boundMicros } = claim;
  const { workspace_id: workspaceId, id, engine, day } = reading;
  await ledger.write(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('readings')
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
    await book(
      transaction,
      { workspaceId, engine, day, token },
      { releasedMicros: boundMicros, spentMicros: 0 },
    );
  });
}
