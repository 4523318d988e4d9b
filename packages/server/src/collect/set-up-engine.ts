import { noteUse, readRestore } from '../storage/ledger-home.ts';
import type { Store } from '../storage/store.ts';
import { requireEngine, saveEngine } from './engine-settings.ts';
import type { EngineSettings, StoredKey } from './engine-settings.ts';
import { setOperatorCaps } from './ledger/operator-budgets.ts';
import type { OperatorCaps } from './ledger/operator-budgets.ts';
import { setLimits } from './ledger/paced-engines.ts';
import type { EngineLimits } from './ledger/paced-engines.ts';
import { requireLedger } from './ledger/require-ledger.ts';

/**
 * Sets an engine up for all workspaces, or changes it, and switches it on. Returns when the ledger
 * was last restored, which decides from when on it is asked.
 */
export async function setUpEngine(
  store: Store,
  {
    settings,
    limits,
    caps,
    storedKey,
    clock: machineClock,
  }: {
    settings: EngineSettings;
    limits: EngineLimits;
    caps: OperatorCaps;
    storedKey?: StoredKey;
    clock: () => number;
  },
): Promise<{ readonly restoredAt: string | null; readonly nowMs: number }> {
  const { name } = settings;
  const clock = await store.ledgerClock(machineClock);
  const opened = await store.ledger();
  // Before the engine is on, because a worker may be waiting for it.
  if (opened !== undefined) await noteUse(opened, { at: new Date(clock()).toISOString() });
  await setOperatorCaps(store, name, caps);
  await setLimits(store, name, limits);
  await saveEngine(store.access, settings, machineClock, storedKey);
  const { restoredAt } = await readRestore(await requireLedger(store));
  return { restoredAt, nowMs: clock() };
}

/**
 * Switches an engine on again, with the settings that it has, also after a fault. Throws a `Refusal`
 * for an unknown name.
 */
export async function switchOnEngine(
  store: Store,
  name: string,
  machineClock: () => number,
): Promise<void> {
  await requireEngine(store.access, name);
  const clock = await store.ledgerClock(machineClock);
  const ledger = await store.ledger();
  if (ledger !== undefined) {
    await noteUse(ledger, { at: new Date(clock()).toISOString() });
    const on = { off_reason: null, off_at: null, fault: null, faults: 0 };
    await ledger.write((transaction) =>
      transaction.updateTable('paces').set(on).where('name', '=', name).execute(),
    );
  }
  await store.access
    .updateTable('engines')
    .set({ disabled_at: null })
    .where('name', '=', name)
    .execute();
}
