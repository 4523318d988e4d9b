import { isIP } from 'node:net';
import { InvalidArgumentError, Option } from 'commander';
import { quota } from '@overheard/contract';

/** The environment of this process, which is read nowhere else. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** One setting: an option of the commands that need it, and an environment variable. */
export interface Setting {
  readonly flags: string;
  readonly env: `OVERHEARD_${string}`;
  readonly summary: string;
  readonly default?: string | number | readonly string[];
  /** Turns the text of an option or variable into the value; throws with a sentence. */
  readonly parse?: (text: string, previous: unknown) => unknown;
}

/** Every setting. The help, `docs/configuration.md` and the parser are made from this table. */
export const settings = {
  database: {
    flags: '--database <url>',
    env: 'OVERHEARD_DATABASE',
    summary: 'database: file:PATH, or postgres://USER:PASSWORD@HOST/NAME',
    default: 'file:./overheard.db',
  },
  workspace: {
    flags: '--workspace <slug>',
    env: 'OVERHEARD_WORKSPACE',
    summary: 'workspace that the command is about',
  },
  host: {
    flags: '--host <address>',
    env: 'OVERHEARD_HOST',
    summary: 'address to listen on',
    default: '127.0.0.1',
  },
  port: {
    flags: '--port <number>',
    env: 'OVERHEARD_PORT',
    summary: 'port to listen on; 0 takes a free one',
    default: 8484,
    parse: integer({ min: 0, max: 65_535 }),
  },
  quota: {
    flags: '--quota <requests>',
    env: 'OVERHEARD_QUOTA',
    summary: `requests per endpoint and workspace in any ${quota.windowSeconds} seconds; 0 lifts the quota`,
    default: quota.requests,
    parse: integer({ min: 0, max: 10_000 }),
  },
  publicUrl: {
    flags: '--public-url <url>',
    env: 'OVERHEARD_PUBLIC_URL',
    summary: 'address under which clients reach the server (default: where it listens)',
    parse: httpUrl,
  },
  trustProxy: {
    flags: '--trust-proxy <cidr...>',
    env: 'OVERHEARD_TRUST_PROXY',
    summary: 'networks of proxies whose X-Forwarded-For is believed, separated by commas or spaces',
    parse: networks,
  },
  nat64: {
    flags: '--nat64 <prefix...>',
    env: 'OVERHEARD_NAT64',
    summary: 'prefixes of your own that translate IPv4 into IPv6 (RFC 6052): 2001:db8:64::/96',
    parse: networks,
  },
  updateLists: {
    flags: '--update-lists <when>',
    env: 'OVERHEARD_UPDATE_LISTS',
    summary: "when to fetch operators' lists by itself: daily or never",
    default: 'daily',
    parse: oneOf(['daily', 'never']),
  },
  logLevel: {
    flags: '--log-level <level>',
    env: 'OVERHEARD_LOG_LEVEL',
    summary: 'least severe line that is logged: debug, info, warn, error or silent',
    default: 'info',
    parse: oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  },
  cacheMegabytes: {
    flags: '--cache-megabytes <number>',
    env: 'OVERHEARD_CACHE_MEGABYTES',
    summary: 'memory for answers that are kept ready; 0 keeps none',
    default: 120,
    parse: integer({ min: 0, max: 16_384 }),
  },
  drainSeconds: {
    flags: '--drain-seconds <number>',
    env: 'OVERHEARD_DRAIN_SECONDS',
    summary:
      'seconds after SIGTERM in which requests are still accepted, until load balancers know',
    default: 5,
    parse: integer({ min: 1, max: 8 }),
  },
  databaseConnections: {
    flags: '--database-connections <number>',
    env: 'OVERHEARD_DATABASE_CONNECTIONS',
    summary: 'PostgreSQL connections of one server, at most',
    default: 20,
    parse: integer({ min: 4, max: 1000 }),
  },
} as const satisfies Record<string, Setting>;

/** A setting as an option of a command. */
export function option(setting: Setting): Option {
  const made = new Option(setting.flags, setting.summary).env(setting.env);
  if (setting.default !== undefined) made.default(setting.default);
  if (setting.parse !== undefined) made.argParser(setting.parse);
  return made;
}

function integer({ min, max }: { min: number; max: number }) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

function oneOf(allowed: readonly string[]) {
  return (text: string): string => {
    if (allowed.includes(text)) return text;
    throw new InvalidArgumentError(`It must be one of ${allowed.join(', ')}.`);
  };
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '') {
    throw new InvalidArgumentError(
      'It must be an http or https address such as https://api.example.com.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

function networks(text: string, previous: unknown): string[] {
  const before = Array.isArray(previous) ? previous.map(String) : [];
  const named = text.split(/[\s,]+/).filter((part) => part !== '');
  if (named.every(isNetwork)) return [...before, ...named];
  throw new InvalidArgumentError('It must be addresses or networks such as 10.0.0.0/8.');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/');
  const version = isIP(address);
  if (version === 0 || others.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
