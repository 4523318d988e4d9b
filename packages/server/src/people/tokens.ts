import { hash, randomBytes } from 'node:crypto';

/** A secret of 32 random bytes for a session, a link or a device: 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** How a token is stored, in hexadecimal. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}
