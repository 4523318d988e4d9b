import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { readSecrets } from './installation-secret.ts';
import { openKey } from './sealed-key.ts';
import { readSecretVariable } from './secret-variable.ts';
import type { Environment } from './secret-variable.ts';

/** The engine whose key is read. */
interface KeyedEngine {
  readonly name: string;
  readonly baseUrl: string;
  readonly keyVariable: string;
  /** The last characters of a pasted key; null if the key is in the variable. */
  readonly keyTail: string | null;
  /** Whether it may need no key. */
  readonly isOwn: boolean;
}

/**
 * Reads an engine's key: the pasted one, else that of its environment variable. Undefined for an
 * engine of the operator's own without a key. Throws a `Refusal` if there is none, or if the pasted
 * one does not open here.
 */
export async function readEngineKey(
  store: Pick<Store, 'access' | 'secretFile'> | undefined,
  environment: Environment,
  engine: KeyedEngine,
): Promise<string | undefined> {
  const { name, keyVariable: variable, keyTail, isOwn } = engine;
  if (keyTail !== null && store !== undefined) {
    const row = await store.access
      .selectFrom('engines')
      .select('key_sealed')
      .where('name', '=', name)
      .executeTakeFirst();
    const sealed = row?.key_sealed ?? '';
    const key = openKey(readSecrets(store, environment), engine, sealed);
    if (key === undefined) throw new Refusal('engine_key_sealed', { engine: name });
    return key;
  }
  const key = readSecretVariable(environment, variable);
  if (key === undefined && isOwn) return undefined;
  if (key === undefined) throw new Refusal('engine_key_missing', { engine: name, variable });
  if (!isKey(key)) throw new Refusal('engine_key_malformed', { variable });
  return key;
}

/** Whether a text can be a key: others cannot be in a header, and the error would show them. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
