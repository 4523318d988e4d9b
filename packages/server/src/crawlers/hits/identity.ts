import { createHmac } from 'node:crypto';
import type { Hmac } from 'node:crypto';
import { dayMs } from '../../values/time/utc-day.ts';
import { formatUuid } from '../../values/uuid.ts';
import type { LogLine } from '../log-line.ts';

type IdentifyingLine = Pick<LogLine, 'host' | 'atMs' | 'method' | 'target' | 'userAgent'>;

/** What identifies hits and addresses of one workspace without revealing them. */
export type Identity = ReturnType<typeof createIdentity>;

const hourMs = 3_600_000;
const hourDigits = 5;
/** Where the hash begins in a group, counted from 1 as SQL does. */
export const clientStart = hourDigits + 2;

/**
 * Makes identities under a workspace's secret. A plain hash of an address could be reversed by
 * trying all of them, so each is an HMAC.
 */
export function createIdentity(secret: Buffer) {
  return { hitId, addressGroup, fingerprint };

  /** The id of a request: the same for identical lines, whatever file they are in. */
  function hitId(line: IdentifyingLine, address: string | null): string {
    const { host, atMs, method, target, userAgent } = line;
    // Text has no NUL: no two lists of parts are alike.
    const parts = [host ?? '', address ?? '', atMs, method, target, userAgent];
    return formatUuid(hmac('hit', parts.join('\0')).digest('hex'), 5);
  }

  /** `HOUR.HASH`: groups the hits of an address in an hour. The hash is the same all day. */
  function addressGroup(address: string, atMs: number): string {
    const client = hmac('group', `${dayOf(atMs)}\0${address}`)
      .digest('base64url')
      .slice(0, 16);
    // The time is first, so that an index grows at its end; the hit has it anyway.
    return `${hourPrefix(atMs)}.${client}`;
  }

  /** Recognises bytes of a file without revealing them. */
  function fingerprint(bytes: Buffer): string {
    return hmac('file', bytes).digest().toString('base64url', 0, 24);
  }

  function hmac(kind: string, data: string | Buffer): Hmac {
    return createHmac('sha256', secret).update(`${kind}\0`).update(data);
  }
}

/** What the groups of an hour begin with; in the order of time. */
export function hourPrefix(atMs: number): string {
  return Math.floor(atMs / hourMs)
    .toString(36)
    .padStart(hourDigits, '0');
}

/** The day, since 1970, that a moment is in. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}
