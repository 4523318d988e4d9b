import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { originOf } from '../engine-settings.ts';
import type { InstallationSecret } from './installation-secret.ts';

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
