import { Refusal } from '../../refusals.ts';
import type { Ledger, Store } from '../../storage/store.ts';

/**
 * Opens the ledger of an installation that has set up collecting. Throws a `Refusal` if collecting
 * is not set up.
 */
export async function requireLedger(store: Store): Promise<Ledger> {
  const ledger = await store.ledger();
  if (ledger === undefined) throw new Refusal('engine_missing', {});
  return ledger;
}
