import { setTimeout as sleep } from 'node:timers/promises';
import { findUnfilled } from '../../../answers/counts/fill-counts.ts';
import type { CountPlace } from '../../../answers/counts/fill-counts.ts';
import { upgrade } from '../../../jobs/upgrade/upgrade.ts';
import { isRefusal, refusalWords } from '../../../refusals.ts';
import type { Refusal } from '../../../refusals.ts';
import { isMigrationDue, openStore } from '../../../storage/open/open-store.ts';
import type { Store, StoreOptions, UpgradeStep } from '../../../storage/store.ts';

/** How long to wait before the next look for a database that is not there. */
const retryMs = 1000;

/** Faults of a connection that end once the database is there. A wrong password is none of them. */
const passingFaults = new Set<unknown>([
  'refused',
  'host_unknown',
  'host_not_looked_up',
  'socket_missing',
  'no_response',
  'database_missing',
  'connections_exhausted',
  'server_starting',
  'closed_early',
]);

interface Opening {
  readonly database: string;
  /** Whether to wait for a database that is not there. */
  readonly waits: boolean;
  readonly storeOptions: StoreOptions;
  /**
   * Called with a sentence about the work that takes time, whenever it changes. `details` are for
   * the operator alone, because they have paths and hosts.
   */
  readonly onWork: (sentence: string, details?: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Opens the database of a server, after it has been upgraded in a thread where it is of an older
 * version. Undefined if the signal aborts meanwhile.
 */
export async function openWhenReady({ signal, ...opening }: Opening): Promise<Store | undefined> {
  const { waits, onWork } = opening;
  let said = '';
  while (!signal.aborted) {
    try {
      return await open({ signal, ...opening });
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!waits || !isPassing(error)) throw error;
      const details = refusalWords(error);
      if (details !== said) onWork('Waiting for the database.', details);
      said = details;
      await sleep(retryMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

async function open({
  database,
  storeOptions,
  onWork,
  signal,
}: Opening): Promise<Store | undefined> {
  const { upgradeFolder } = storeOptions;
  const onStep = (step: UpgradeStep | CountPlace) => onWork(...wordsOf(step));
  const onStuck = () => {
    onWork('Stopping in the middle of the upgrade. The next start goes on with it.');
    // A kill loses nothing, because SQLite undoes the open transaction at the next start.
    process.kill(process.pid, 'SIGKILL');
  };
  const upgradeApart = () => upgrade({ database, upgradeFolder }, { onStep, onStuck, signal });
  if (await isMigrationDue(database)) await upgradeApart();
  if (signal.aborted) return undefined;
  const store = await openStore(database, { ...storeOptions, signal });
  try {
    if ((await findUnfilled(store)).length > 0) await upgradeApart();
    if (!signal.aborted) return store;
  } catch (error) {
    await store.close();
    throw store.mapFailure(error);
  }
  await store.close();
  return undefined;
}

function isPassing(error: unknown): error is Refusal {
  if (!isRefusal(error)) return false;
  if (error.code !== 'connection_failed') return error.code === 'database_not_found';
  return 'fault' in error.facts && passingFaults.has(error.facts.fault);
}

function wordsOf(step: UpgradeStep | CountPlace): [sentence: string, details?: string] {
  if ('backup' in step) {
    return ['Backing up the database before its upgrade.', `The backup goes to ${step.backup}.`];
  }
  if ('migration' in step) return ['Upgrading the database.'];
  const { workspace, of } = step;
  return [
    `Counting stored answers and hits again, which may take minutes: workspace ${workspace} of ${of}.`,
  ];
}
