import { readEngines } from '../../../collect/ledger/paced-engines.ts';
import { ok, warning } from '../../../storage/finding.ts';
import type { Finding } from '../../../storage/finding.ts';
import { withStore } from '../../define/with-store.ts';

/** Reports the engines that a fault has switched off, if collecting is set up. */
export async function checkEngines(database: string): Promise<readonly Finding[]> {
  return withStore(database, async (store) => {
    const ledger = await store.ledger();
    const all = ledger === undefined ? [] : await readEngines(store, ledger);
    const isOff = (reason: string | null): boolean => reason !== null && reason !== 'disabled';
    const off = all.filter(({ offReason }) => isOff(offReason));
    if (all.length > 0 && off.length === 0)
      return [ok('engines', 'no engine is switched off by a fault')];
    return off.map(({ name, offReason, keyVariable }) =>
      offReason === 'restored'
        ? warning(
            'engines',
            `${name} is not asked: the ledger comes from a backup.`,
            `On the next UTC day: overheard engine add ${name}, with its options`,
          )
        : warning(
            'engines',
            `${name} is not asked: it failed with ${offReason ?? 'a fault'}.`,
            `Check the key in ${keyVariable}, its quota, the model and the address, then: overheard engine add ${name}, with its options`,
          ),
    );
  });
}
