import { readEngines } from '../../../collect/ledger/paced-engines.ts';
import { readRestore } from '../../../storage/ledger-home.ts';
import { ok, problem, warning } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import { withStore } from '../../define/with-store.ts';

/** Reports a restore that was not noted, and engines that a fault has switched off. */
export async function checkEngines(database: string): Promise<readonly Finding[]> {
  return withStore(database, async (store) => {
    const ledger = await store.ledger();
    const all = ledger === undefined ? [] : await readEngines(store, ledger);
    const restore = ledger && (await readRestore(ledger));
    if (restore?.isMoved === true) return [unnotedRestore];
    const isOff = (reason: string | null): boolean => reason !== null && reason !== 'disabled';
    const off = all.filter(({ offReason }) => isOff(offReason));
    if (all.length > 0 && off.length === 0)
      return [ok('engines', 'no engine is switched off by a fault')];
    return off.map(({ name, offReason, keyVariable }) =>
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
  });
}

const unnotedRestore = problem(
  'engines',
  'The database was restored or moved, or a standby has taken over, so the ledger may not know what was asked today.',
  'Run `overheard database restored` before anything asks engines.',
);
