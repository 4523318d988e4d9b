import type { Bot } from '../bots/catalogue.ts';
import type { DnsAnswer } from './judge.ts';
import type { Evidence } from './verdict.ts';

/** Asks name servers. Fails with the codes of `node:dns`: ENOTFOUND, ENODATA and EBADNAME where there is no such name. */
export interface Resolver {
  /** The names of an address. */
  reverse(address: string): Promise<string[]>;
  /** The addresses of a name. */
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
}

/** Confirms claims by host names. */
export interface HostNames {
  ask(address: string, bot: Pick<Bot, 'dns'>): Promise<DnsAnswer>;
}

const underWayMax = 16;
const failuresMax = 8;
const keptMs = 3_600_000;

/**
 * Names that do not exist are an answer, and so are names that cannot: anybody may give such a one to
 * an address. Anything else is a failure to get one.
 */
const absent = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Forward-confirmed reverse DNS: the address has a name of the operator's, and that name has the
 * address. Anybody may give an address any name, so that one way proves nothing. Answers are kept for
 * an hour; in that time at most `lookupsMax` addresses are asked for, and none any more after eight
 * times in a row that no name server could be asked, so that a machine without DNS is not held up, and
 * one that gets it back is served.
 */
export function createHostNames({
  resolver,
  clock,
  lookupsMax = 2000,
}: {
  resolver: Resolver;
  /** Milliseconds since 1970. */
  clock: () => number;
  lookupsMax?: number;
}): HostNames {
  const reversed = new Map<string, Promise<string[] | undefined>>();
  const forward = new Map<string, Promise<string[] | undefined>>();
  const waiting: Array<() => void> = [];
  let underWay = 0;
  let failures = 0;
  let beganMs = clock();
  return { ask };

  async function ask(address: string, { dns }: Pick<Bot, 'dns'>): Promise<DnsAnswer> {
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
    known: Map<string, Promise<string[] | undefined>>,
    name: string,
    look: () => Promise<string[]>,
  ): Promise<string[] | undefined> {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= lookupsMax) return Promise.resolve(undefined);
    const answer = inTurn(look);
    known.set(name, answer);
    return answer;
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
      // Name servers that can be asked say so of a zone whose own cannot: that is no want of DNS here.
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
  const [before = '', after] = pattern.split('*');
  if (after === undefined) return name === pattern;
  return (
    name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
  );
}

/**
 * What the evidence of an earlier verdict says of the host name: proof holds however old it is, and
 * whether or not name servers can be asked now. Undefined where it says nothing, or of a name that
 * is not the bot's any more.
 */
export function nameFoundBefore(
  evidence: Evidence | undefined,
  { dns }: Pick<Bot, 'dns'>,
): DnsAnswer | undefined {
  const { reason, host_name: hostName = null, asked_at: askedAt } = evidence ?? {};
  if (askedAt === undefined) return undefined;
  const askedMs = Date.parse(askedAt);
  if (reason === 'wrong_host_name') return { kind: 'other', hostName, askedMs };
  const isOfBot = hostName !== null && dns.some((pattern) => matches(hostName, pattern));
  return isOfBot ? { kind: 'confirmed', hostName, askedMs } : undefined;
}
