import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

export const passwordLengthMin = 12;
const passwordLengthMax = 256;

/** OWASP's minimum for argon2id: 19 MiB, 2 passes, 1 lane. */
const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const;
const phcForm =
  /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{16,64})\$([A-Za-z0-9+/]{22,86})$/;

const derive = promisify(argon2);

/** A password in normal form: NFKC, 12 to 256 characters. Undefined for any other length. */
export function parsePassword(text: string): string | undefined {
  if (!text.isWellFormed()) return undefined;
  const password = text.normalize('NFKC');
  const { length } = Array.from(password);
  return length >= passwordLengthMin && length <= passwordLengthMax ? password : undefined;
}

/** Hashes a password to a PHC string of argon2id, off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive('argon2id', { message: password, nonce, ...parameters });
  const { memory, passes, parallelism } = parameters;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
}

/**
 * Whether a password matches the stored one. Without a stored password it takes as long and returns
 * false, so that an unknown account looks like a known one.
 */
export async function verifyPassword(text: string, stored: string | null): Promise<boolean> {
  const parts = phcForm.exec(stored ?? '') ?? phcForm.exec(nobodysPassword);
  if (parts === null) throw new Error('The stand-in password is malformed');
  const [, memory, passes, parallelism, nonce = '', expected = ''] = parts;
  const tag = Buffer.from(expected, 'base64');
  const hash = await derive('argon2id', {
    // Cut the text, because no password is longer and a megabyte need not be hashed.
    message: text.normalize('NFKC').slice(0, 2 * passwordLengthMax),
    nonce: Buffer.from(nonce, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: tag.length,
  });
  return timingSafeEqual(hash, tag) && stored !== null;
}

/** A stored hash of zeros, which no password matches. */
const nobodysPassword = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
