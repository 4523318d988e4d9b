import { Refusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';

/** The ledger of an installation that has set up collecting. Throws a `Refusal` if it has not. */
export async function openLedger(store: Store): Promise<Ledger> {
  const ledger = await store.ledger();
  if (ledger === undefined) throw new Refusal('engine_missing', {});
  return ledger;
}
