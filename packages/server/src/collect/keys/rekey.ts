import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { readSecrets, requireSecret } from './installation-secret.ts';
import type { Environment } from './secret-variable.ts';
import { openKey, sealKey } from './engine-key.ts';

/**
 * Encrypts every stored key again, under the present secret, in one transaction. Keys under the
 * secret before are opened by `OVERHEARD_SECRET_BEFORE`. Returns how many there are. Throws a
 * `Refusal`, and changes nothing, if one does not open.
 */
export async function rekeyEngines(
  store: Pick<Store, 'access' | 'secretFile'>,
  environment: Environment,
): Promise<number> {
  const secret = requireSecret(store, environment);
  const secrets = readSecrets(store, environment);
  return store.access.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('engines')
      .select(['name', 'base_url', 'key_sealed'])
      .where('key_sealed', 'is not', null)
      .execute();
    for (const { name, base_url: baseUrl, key_sealed: sealed } of rows) {
      const owner = { name, baseUrl };
      const key = openKey(secrets, owner, sealed ?? '');
      if (key === undefined) throw new Refusal('engine_key_sealed', { engine: name });
      await transaction
        .updateTable('engines')
        .set({ key_sealed: sealKey(secret, owner, key) })
        .where('name', '=', name)
        .execute();
    }
    return rows.length;
  });
}
