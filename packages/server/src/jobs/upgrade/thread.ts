/** The entry of the thread that upgrades a database before a server opens it. */
import { parentPort, workerData } from 'node:worker_threads';
import { isRefusal } from '../../refusals.ts';
import { openStore } from '../../storage/open/open-store.ts';
import { assumeType } from '../../values/assume-type.ts';
import { fillCounts } from '../../answers/counts/fill-counts.ts';
import type { UpgradeMessage, UpgradeOrder } from './upgrade.ts';

/** One connection to read, and one for the transaction of a workspace. */
const connectionsMax = 3;

const { database, upgradeFolder } = assumeType<UpgradeOrder>(workerData);

try {
  const onUpgrade = (step: Extract<UpgradeMessage, { step: unknown }>['step']) => send({ step });
  const store = await openStore(database, { connectionsMax, upgradeFolder, onUpgrade });
  try {
    await fillCounts(store, undefined, onUpgrade);
  } catch (error) {
    throw store.mapFailure(error);
  } finally {
    await store.close();
  }
} catch (error) {
  send(isRefusal(error) ? { refusal: { code: error.code, facts: error.facts } } : { error });
} finally {
  parentPort?.close();
}

function send(message: UpgradeMessage): void {
  parentPort?.postMessage(message);
}
