import type { Bot } from '../bots/catalogue.ts';
import type { DnsResult } from './judge.ts';
import type { Evidence } from './verdict.ts';

/** Asks name servers. Fails with the codes of `node:dns`: ENOTFOUND, ENODATA or EBADNAME for a missing name. */
export interface Resolver {
  reverse(address: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

export type HostNames = ReturnType<typeof createHostNames>;

const underWayMax = 16;
const failuresMax = 8;
const keptMs = 3_600_000;

/**
 * A missing or malformed name is a result, because anyone may give an address such a name. Any other
 * error is a failure.
 */
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Forward-confirmed reverse DNS: the address has a name of the operator's, and that name has the
 * address. Anyone may give an address any name, so one direction proves nothing. Results are cached for an
 * hour. In an hour at most `lookupsMax` addresses are looked up, and none after eight failures in a row,
 * so that a machine without DNS is not delayed.
 */
export function createHostNames({
  resolver,
  clock,
  lookupsMax = 2000,
}: {
  resolver: Resolver;
  clock: () => number;
  lookupsMax?: number;
}) {
  const reversed = new Map<string, Promise<string[] | undefined>>();
  const forward = new Map<string, Promise<string[] | undefined>>();
  const waiting: Array<() => void> = [];
  let underWay = 0;
  let failures = 0;
  let beganMs = clock();
  return { ask };

  async function ask(address: string, { dns }: Pick<Bot, 'dns'>): Promise<DnsResult> {
    if (Math.abs(clock() - beganMs) >= keptMs) beginAnew();
    const names = await remember(reversed, address, () => resolver.reverse(address));
    if (names === undefined) return { kind: 'error' };
    for (const name of names) {
      const plain = name.toLowerCase().replace(/\.$/, '');
      if (!dns.some((pattern) => matches(plain, pattern))) continue;
      const addresses = await remember(forward, plain, () =>
        address.includes(':') ? resolver.resolve6(plain) : resolver.resolve4(plain),
      );
      if (addresses === undefined) return { kind: 'error' };
      if (addresses.includes(address))
        return { kind: 'confirmed', hostName: plain, askedMs: clock() };
    }
    return { kind: 'other', hostName: names[0] ?? null, askedMs: clock() };
  }

  function beginAnew(): void {
    beganMs = clock();
    failures = 0;
    reversed.clear();
    forward.clear();
  }

  function remember(
    lookups: Map<string, Promise<string[] | undefined>>,
    name: string,
    look: () => Promise<string[]>,
  ): Promise<string[] | undefined> {
    const before = lookups.get(name);
    if (before !== undefined) return before;
    if (lookups.size >= lookupsMax) return Promise.resolve(undefined);
    const result = inTurn(look);
    lookups.set(name, result);
    return result;
  }

  async function inTurn(look: () => Promise<string[]>): Promise<string[] | undefined> {
    if (underWay >= underWayMax) await new Promise<void>((resolve) => waiting.push(resolve));
    if (failures >= failuresMax) {
      waiting.shift()?.();
      return undefined;
    }
    underWay++;
    try {
      const names = await look();
      failures = 0;
      return names;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (absent.has(code)) return [];
      // A working name server says this of a zone whose own servers fail.
      if (code !== 'ESERVFAIL') failures++;
      return undefined;
    } finally {
      underWay--;
      waiting.shift()?.();
    }
  }
}

/** Whether a name is of a form such as `crawl-*.example.com`; the star is at least one character. */
export function matches(name: string, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.+')}$`, 's').test(name);
}

/**
 * The result of the look-up in the evidence of an earlier verdict. A proof stays valid. Undefined if
 * there was no look-up, or if the name is no longer the bot's.
 */
export function nameFoundBefore(
  evidence: Evidence | undefined,
  { dns }: Pick<Bot, 'dns'>,
): DnsResult | undefined {
  const { reason, host_name: hostName = null, asked_at: askedAt } = evidence ?? {};
  if (askedAt === undefined) return undefined;
  const askedMs = Date.parse(askedAt);
  if (reason === 'wrong_host_name') return { kind: 'other', hostName, askedMs };
  const isOfBot = hostName !== null && dns.some((pattern) => matches(hostName, pattern));
  return isOfBot ? { kind: 'confirmed', hostName, askedMs } : undefined;
}
