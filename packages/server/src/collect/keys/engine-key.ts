import { isRefusal, Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { readSecrets } from './installation-secret.ts';
import { readSecretVariable } from './secret-variable.ts';
import type { Environment } from './secret-variable.ts';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { listEngines, originOf } from '../engine-settings.ts';
import type { InstallationSecret } from './installation-secret.ts';

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

/** The engine that a key belongs to. At another address the stored key does not open. */
interface KeyOwner {
  readonly name: string;
  readonly baseUrl: string;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;

/** Encrypts a key for its engine and the origin of its address, with AES-256-GCM. */
export function sealKey(secret: InstallationSecret, owner: KeyOwner, key: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, secret.key, iv).setAAD(ownerBytes(owner));
  const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
  const parts = [iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'));
  return [secret.fingerprint, ...parts].join('.');
}

/** Decrypts a key; undefined under other secrets, for another engine or address, or if damaged. */
export function openKey(
  secrets: readonly InstallationSecret[],
  owner: KeyOwner,
  sealed: string,
): string | undefined {
  const [fingerprint, ...parts] = sealed.split('.');
  const secret = secrets.find((each) => each.fingerprint === fingerprint);
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (secret === undefined || iv === undefined || tag === undefined || text === undefined) {
    return undefined;
  }
  try {
    const decipher = createDecipheriv(algorithm, secret.key, iv, { authTagLength: 16 })
      .setAAD(ownerBytes(owner))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function ownerBytes({ name, baseUrl }: KeyOwner): Buffer {
  return Buffer.from(JSON.stringify([name, originOf(baseUrl)]));
}

/** Why pasted keys of engines do not open in this process, one each: most likely it has another secret. */
export async function findClosedKeys(
  store: Store,
  environment: Environment,
): Promise<readonly Refusal[]> {
  const refused: Refusal[] = [];
  for (const engine of await listEngines(store.access)) {
    if (engine.keyTail === null) continue;
    try {
      await readEngineKey(store, environment, { ...engine, isOwn: false });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refused.push(error);
    }
  }
  return refused;
}
