import { createHmac } from 'node:crypto';
import type { Hmac } from 'node:crypto';
import { formatUuid } from '../../values/uuid.ts';
import type { LogLine } from '../log-line.ts';
import { windowMs } from '../verify/many-operators.ts';

/** What identifies hits and addresses of one workspace without revealing them. */
export interface Identity {
  /** The id of a request: the same for identical lines, whatever file they are in. */
  hitId(
    line: Pick<LogLine, 'host' | 'atMs' | 'method' | 'target' | 'userAgent'>,
    address: string | null,
  ): string;
  /** Finds the hits of an address in the ten minutes that have this number (milliseconds / 600,000). */
  addressGroup(address: string, period: number): string;
  /** Which of 4,096 classes an address or the name of a site is in: too few to tell a person by. */
  classOf(kind: 'address' | 'site', text: string): number;
  /** Tells bytes of a file again, or a line's text in Latin-1, without revealing them. */
  fingerprint(bytes: Buffer | string): string;
  /** What the ranks of log lines are made with: an integer of 32 bits. */
  readonly sampleSeed: number;
}

/** Groups remembered, so that a crawler's thousand requests cost one hash. */
const groupsMax = 10_000;

/**
 * Makes identities under a workspace's secret. A plain hash of an address could be reversed by
 * trying all of them, so each is an HMAC.
 */
export function createIdentity(secret: Buffer): Identity {
  const groups = new Map<string, string>();
  const classes = new Map<string, number>();
  return {
    hitId,
    addressGroup,
    classOf,
    fingerprint,
    sampleSeed: hmac('sample', '').digest().readInt32LE(),
  };

  function hitId(
    {
      host,
      atMs,
      method,
      target,
      userAgent,
    }: Pick<LogLine, 'host' | 'atMs' | 'method' | 'target' | 'userAgent'>,
    address: string | null,
  ): string {
    // Text has no NUL: no two lists of parts are alike.
    const parts = [host ?? '', address ?? '', atMs, method, target, userAgent];
    return formatUuid(hmac('hit', parts.join('\0')).digest('hex'), 5);
  }

  function addressGroup(address: string, period: number): string {
    const name = `${period}\0${address}`;
    const known = groups.get(name);
    if (known !== undefined) return known;
    if (groups.size >= groupsMax) groups.clear();
    // The time stands first, so that an index grows at its end: nothing is told that the hit does not tell.
    const made = `${period.toString(36)}.${hmac('group', name).digest().toString('base64url', 0, 12)}`;
    groups.set(name, made);
    return made;
  }

  function classOf(kind: 'address' | 'site', text: string): number {
    const name = `${kind}\0${text}`;
    const known = classes.get(name);
    if (known !== undefined) return known;
    if (classes.size >= groupsMax) classes.clear();
    const made = hmac('class', name).digest().readUInt16LE() & 0xfff;
    classes.set(name, made);
    return made;
  }

  function fingerprint(bytes: Buffer | string): string {
    const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    return hmac('file', data).digest().toString('base64url', 0, 24);
  }

  function hmac(kind: string, data: string | Buffer): Hmac {
    return createHmac('sha256', secret).update(`${kind}\0`).update(data);
  }
}

/** The number of the ten minutes that a moment is in. */
export function periodOf(atMs: number): number {
  return Math.floor(atMs / windowMs);
}

/** The day, since 1970, that a moment is in. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / 86_400_000);
}
