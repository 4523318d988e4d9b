import { noteRestore } from '../../storage/ledger-home.ts';
import type { Store } from '../../storage/store.ts';
import { requireLedger } from './require-ledger.ts';

/** Since when every server of the installation asks by itself; null if it does not. */
export async function readAskingSwitch(store: Store): Promise<string | null> {
  const ledger = await store.ledger();
  const row = await ledger?.db.selectFrom('ledger_home').select('asks_since').executeTakeFirst();
  return row?.asks_since ?? null;
}

/**
 * Switches on or off whether servers ask by themselves what is due. Returns whether that changed.
 * Throws a `Refusal` if no engine was ever set up.
 */
export async function setAskingSwitch(
  store: Store,
  { isOn, clock }: { isOn: boolean; clock: () => number },
): Promise<boolean> {
  const ledger = await requireLedger(store);
  const at = new Date(clock()).toISOString();
  await noteRestore(ledger, { at });
  const { numUpdatedRows } = await ledger.write((transaction) =>
    transaction
      .updateTable('ledger_home')
      .set({ asks_since: isOn ? at : null })
      .where('asks_since', isOn ? 'is' : 'is not', null)
      .executeTakeFirst(),
  );
  return numUpdatedRows > 0n;
}
