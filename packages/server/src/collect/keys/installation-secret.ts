import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { Refusal } from '../../refusals.ts';
import type { Store } from '../../storage/store.ts';
import { readSecretVariable } from './secret-variable.ts';
import type { Environment } from './secret-variable.ts';

/** The secret of an installation. It encrypts the keys of engines that an operator has pasted. */
export interface InstallationSecret {
  readonly key: Uint8Array;
  /** Tells secrets apart without showing them; each stored key names that of its secret. */
  readonly fingerprint: string;
}

const lengthMin = 32;
const variable = 'OVERHEARD_SECRET';

/**
 * The secrets that this process knows: `OVERHEARD_SECRET`, else the file beside an embedded
 * database, and `OVERHEARD_SECRET_BEFORE` while a secret is replaced. Throws a `Refusal` for a short
 * one.
 */
export function readSecrets(
  { secretFile }: Pick<Store, 'secretFile'>,
  environment: Environment,
): readonly InstallationSecret[] {
  const present =
    readSecretVariable(environment, variable) ?? (secretFile && readSecretFile(secretFile)?.trim());
  return [present, readSecretVariable(environment, 'OVERHEARD_SECRET_BEFORE')].flatMap((text) =>
    text === undefined || text === '' ? [] : [derive(text)],
  );
}

/**
 * The secret under which a key is stored now. Makes the file beside an embedded database if there is
 * neither file nor variable. Throws a `Refusal` on PostgreSQL without the variable.
 */
export function requireSecret(
  store: Pick<Store, 'secretFile'>,
  environment: Environment,
): InstallationSecret {
  const { secretFile } = store;
  if (readSecretVariable(environment, variable) === undefined) {
    if (secretFile === undefined) throw new Refusal('secret_missing', {});
    if (readSecretFile(secretFile) === undefined) makeSecretFile(secretFile);
  }
  const [secret] = readSecrets(store, environment);
  if (secret === undefined) throw new Refusal('secret_missing', {});
  return secret;
}

function derive(text: string): InstallationSecret {
  if (text.length < lengthMin) throw new Refusal('secret_short', { lengthMin });
  const part = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', text, 'overheard', use, bytes));
  return {
    key: part('engine keys', 32),
    fingerprint: part('fingerprint', 9).toString('base64url'),
  };
}

function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Links a finished file into place, so that no process reads a part, and the first one wins. */
function makeSecretFile(path: string): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
}
