import { createHmac } from 'node:crypto';
import type { Hmac } from 'node:crypto';
import { bytesOf, networkKey } from '../../values/addresses/address.ts';
import type { Address } from '../../values/addresses/address.ts';
import { dayMs } from '../../values/time/utc-day.ts';
import { formatUuid } from '../../values/uuid.ts';
import type { LogLine } from '../log-line.ts';

type IdentifyingLine = Pick<LogLine, 'host' | 'atMs' | 'method' | 'target' | 'userAgent'>;

/** What identifies hits and addresses of one workspace without revealing them. */
export type Identity = ReturnType<typeof createIdentity>;

/**
 * Makes identities under a workspace's secret. A plain hash of an address could be reversed by
 * trying all of them, so each is an HMAC.
 */
export function createIdentity(secret: Buffer) {
  return { hitId, network, visitorSeeds, fingerprint };

  /** The id of a request: the same for identical lines, whatever file they are in. */
  function hitId(line: IdentifyingLine, address: string | null): string {
    const { host, atMs, method, target, userAgent } = line;
    // Text has no NUL: no two lists of parts are alike.
    const parts = [host ?? '', address ?? '', atMs, method, target, userAgent];
    return formatUuid(hmac('hit', parts.join('\0')).digest('hex'), 5);
  }

  /** The network of an address: IPv4 /24, IPv6 /48. Stays when the address is dropped. */
  function network(address: Address): string {
    const bytes = bytesOf({ key: networkKey(address) });
    return hmac('network', bytes.join('.')).digest().toString('base64url', 0, 12);
  }

  /** Two numbers of 32 bits that key the visitors' networks of a day. */
  function visitorSeeds(day: number): readonly [number, number] {
    const digest = hmac('visitors', String(day)).digest();
    return [digest.readInt32BE(0), digest.readInt32BE(4)];
  }

  /** Recognises bytes of a file without revealing them. */
  function fingerprint(bytes: Buffer): string {
    return hmac('file', bytes).digest().toString('base64url', 0, 24);
  }

  function hmac(kind: string, data: string | Buffer): Hmac {
    return createHmac('sha256', secret).update(`${kind}\0`).update(data);
  }
}

/** The day, since 1970, that a moment is in. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}
