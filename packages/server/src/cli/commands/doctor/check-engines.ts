import { findClosedKeys } from '../../../collect/keys/engine-key.ts';
import type { Environment } from '../../../collect/keys/secret-variable.ts';
import { readEngines } from '../../../collect/ledger/paced-engines.ts';
import {
  priceDifferenceWords,
  readPriceDifferences,
} from '../../../collect/ledger/price-differences.ts';
import { readRestore } from '../../../storage/ledger-home.ts';
import { refusalParts } from '../../../refusals.ts';
import { ok, problem, warning } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import type { Ledger, Store } from '../../../storage/store.ts';
import { listWorkspaces } from '../../../workspaces/workspaces.ts';
import { withStore } from '../../define/with-store.ts';

/**
 * Reports a restore that was not noted, engines that a fault has switched off, and those whose costs
 * differ from the price list.
 */
export async function checkEngines(
  database: string,
  environment: Environment,
): Promise<readonly Finding[]> {
  return withStore(database, async (store) => {
    const ledger = await store.ledger();
    const all = ledger === undefined ? [] : await readEngines(store, ledger);
    const restore = ledger && (await readRestore(ledger));
    if (restore?.isMoved === true) return [unnotedRestore];
    const isOff = (reason: string | null): boolean => reason !== null && reason !== 'disabled';
    const off = all.filter(({ offReason }) => isOff(offReason));
    const keys = await checkKeys(store, environment);
    const prices = ledger === undefined ? [] : await checkPrices(store, ledger, all);
    if (all.length > 0 && off.length === 0)
      return [ok('engines', 'no engine is switched off by a fault'), ...keys, ...prices];
    const faults = off.map(({ name, offReason, keyVariable }) =>
      offReason === 'restored'
        ? warning(
            'engines',
            `${name} is not asked: the ledger comes from a backup.`,
            `To ask it again: overheard engine add ${name}, with its options. Sweeps of the day that have begun by then are not asked.`,
          )
        : warning(
            'engines',
            `${name} is not asked: it failed with ${offReason ?? 'a fault'}.`,
            `Check the key in ${keyVariable}, its quota, the model and the address, then: overheard engine add ${name}, with its options`,
          ),
    );
    return [...faults, ...keys, ...prices];
  });
}

/** Stored keys that this process cannot open. */
async function checkKeys(store: Store, environment: Environment): Promise<Finding[]> {
  const refused = await findClosedKeys(store, environment);
  return refused.map((refusal) => {
    const [happened, advice = ''] = refusalParts(refusal);
    return problem('engines', happened, advice);
  });
}

/** Of each engine the first workspace in which its costs differ from the price list. */
async function checkPrices(
  store: Store,
  ledger: Ledger,
  all: ReadonlyArray<{ readonly name: string }>,
): Promise<Finding[]> {
  const found = new Map<string, Finding>();
  const names = all.map(({ name }) => name);
  for (const { id, slug } of await listWorkspaces(store.reader)) {
    const left = names.filter((name) => !found.has(name));
    for (const difference of await readPriceDifferences(ledger, id, left)) {
      const { happened, advice } = priceDifferenceWords(difference);
      found.set(difference.engine, warning('prices', `${slug}: ${happened}`, advice));
    }
  }
  return [...found.values()];
}

const unnotedRestore = problem(
  'engines',
  'The database was restored or moved, or a standby has taken over, so the ledger may not know what was asked today.',
  'Run `overheard database restored` before anything asks engines.',
);
