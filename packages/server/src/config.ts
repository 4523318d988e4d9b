import { isIP } from 'node:net';
import { quota } from '@overheard/contract';

/** The environment of this process, which is read nowhere else. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** The text of an option or variable is not valid. The message is the sentence that says what it must be. */
export class InvalidValue extends Error {}

/**
 * One option of commands. Its flag is made from the name under which it is listed: `dryRun` is
 * `--dry-run`, `noDns` is `--no-dns`.
 */
export interface OptionSpec<Value> {
  readonly summary: string;
  /** How its value is written in the help, such as `<file>` or `<id...>`. Without one it is a flag. */
  readonly value?: string;
  /** Turns the text of an option or variable into the value; throws an `InvalidValue`. */
  readonly parse?: (text: string, previous: unknown) => Value;
  readonly choices?: readonly string[];
  readonly isRequired?: boolean;
  /** Its value if it is left out, printed in the help. */
  readonly default?: Value;
  /** Its value if it is left out, not printed in the help. */
  readonly absent?: Value;
}

/** An option that can also be set by an environment variable: `publicUrl` is `OVERHEARD_PUBLIC_URL`. */
export interface Setting<Value> extends OptionSpec<Value> {
  readonly isSetting: true;
  /** Whether it is a variable alone, because every user of a machine can read the arguments. */
  readonly isVariableOnly?: boolean;
}

/** Every setting. The help, `docs/configuration.md` and the parser are made from this table. A command takes one under its own name. */
export const settings = {
  database: setting<string>({
    value: '<url>',
    summary: 'database: file:PATH, or postgres://USER:PASSWORD@HOST/NAME',
    default: 'file:./overheard.db',
  }),
  workspace: setting<string | undefined>({
    value: '<slug>',
    summary: 'workspace that the command is about',
  }),
  host: setting<string>({
    value: '<address>',
    summary: 'address to listen on',
    default: '127.0.0.1',
  }),
  port: setting<number>({
    value: '<number>',
    summary: 'port to listen on; 0 takes a free one',
    default: 8484,
    parse: integer({ min: 0, max: 65_535 }),
  }),
  quota: setting<number>({
    value: '<requests>',
    summary: `requests per endpoint and workspace in any ${quota.windowSeconds} seconds; 0 means no quota`,
    default: quota.requests,
    parse: integer({ min: 0, max: 10_000 }),
  }),
  publicUrl: setting<string | undefined>({
    value: '<url>',
    summary: 'address under which clients reach the server (default: where it listens)',
    parse: httpUrl,
  }),
  trustProxy: setting<readonly string[]>({
    value: '<cidr...>',
    summary: 'networks of proxies whose X-Forwarded-For is trusted, separated by commas or spaces',
    parse: networks,
    absent: [],
  }),
  plainHttp: setting<string>({
    value: '<rule>',
    summary:
      'whether people may sign in over plain http from other machines, where others can listen',
    default: 'refuse',
    choices: ['refuse', 'allow'],
  }),
  connectors: setting<string>({
    value: '<which>',
    summary:
      'assistants that people may connect by signing in: none, those that publish a document about themselves, or also those that register here',
    default: 'documents',
    choices: ['off', 'documents', 'all'],
  }),
  nat64: setting<readonly string[]>({
    value: '<prefix...>',
    summary: 'your own prefixes that translate IPv4 into IPv6 (RFC 6052): 2001:db8:64::/96',
    parse: networks,
    absent: [],
  }),
  originSecret: {
    ...setting<string | undefined>({
      summary:
        'the secret that your content network adds to each request in X-Origin-Auth; behind it, a forwarded address counts',
    }),
    isVariableOnly: true,
  },
  originSecretFile: setting<string | undefined>({
    value: '<file>',
    summary: 'file with that secret; several, one a line, while you change it',
  }),
  updateLists: setting<string>({
    value: '<when>',
    summary: 'when to fetch the lists of operators, and with serve robots.txt, automatically',
    default: 'daily',
    choices: ['daily', 'never'],
  }),
  backups: setting<string | undefined>({
    value: '<folder>',
    summary:
      'folder in which the server keeps backups of the embedded database: of 7 days, 4 weeks and 12 months',
    parse: (text) => text || undefined,
  }),
  privateWebhooks: setting<string>({
    value: '<rule>',
    summary: 'whether messages may be posted to addresses that are not public',
    default: 'refuse',
    choices: ['refuse', 'allow'],
  }),
  smtp: {
    ...setting<string | undefined>({
      summary:
        'mail server for messages, with the sender: smtps://USER:PASSWORD@mail.example.com?from=overheard@example.com',
      parse: (text) => text || undefined,
    }),
    isVariableOnly: true,
  },
  priceFile: setting<string | undefined>({
    value: '<file>',
    summary: 'file with prices of engines, instead of the price list: CSV, JSON or NDJSON',
  }),
  logLevel: setting<string>({
    value: '<level>',
    summary: 'lowest level of lines in the log',
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
  }),
  cacheMegabytes: setting<number>({
    value: '<number>',
    summary: 'memory for cached responses, and a quarter of it for rows of tools; 0 caches none',
    default: 120,
    parse: integer({ min: 0, max: 16_384 }),
  }),
  uploadMegabytes: setting<number>({
    value: '<number>',
    summary: 'largest file that people may upload on the pages',
    default: 256,
    parse: integer({ min: 1, max: 16_384 }),
  }),
  spool: setting<string | undefined>({
    value: '<folder>',
    summary:
      'folder in which received log lines wait until they are read (default: beside an embedded database)',
    parse: (text) => text || undefined,
  }),
  spoolMegabytes: setting<number>({
    value: '<number>',
    summary: 'how much may wait there; more is refused for the time being',
    default: 1000,
    parse: integer({ min: 1, max: 1_000_000 }),
  }),
  drainSeconds: setting<number>({
    value: '<number>',
    summary:
      'seconds after SIGTERM in which requests are still accepted, so that load balancers notice',
    default: 5,
    parse: integer({ min: 1, max: 8 }),
  }),
  databaseConnections: setting<number>({
    value: '<number>',
    summary: 'most PostgreSQL connections of one server, beside those of its threads',
    default: 20,
    parse: integer({ min: 4, max: 1000 }),
  }),
};

/** `--dry-run` of `dryRun`, `--host <address>` of `host`. */
export function flagsOf(name: string, { value }: Pick<OptionSpec<unknown>, 'value'>): string {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? flag : `${flag} ${value}`;
}

/** `OVERHEARD_PUBLIC_URL` of `publicUrl`. */
export function variableOf(name: string): string {
  return `OVERHEARD_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function setting<Value>(
  spec: OptionSpec<Value> & { readonly default: Value },
): Setting<Value> & { readonly default: Value };
function setting<Value>(spec: OptionSpec<Value>): Setting<Value>;
function setting<Value>(spec: OptionSpec<Value>): Setting<Value> {
  return { ...spec, isSetting: true };
}

/** Parses a whole number in bounds. */
export function integer({ min, max }: { min: number; max: number }) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidValue(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Parses the address of a server, without a slash at its end. */
export function httpUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isPlain || url.username !== '') {
    throw new InvalidValue('It must be an http or https address such as https://api.example.com.');
  }
  return url.href.replace(/\/+$/, '');
}

function networks(text: string, previous: unknown): string[] {
  const before = Array.isArray(previous) ? previous.map(String) : [];
  const named = text.split(/[\s,]+/).filter((part) => part !== '');
  if (named.every(isNetwork)) return [...before, ...named];
  throw new InvalidValue('It must be addresses or networks such as 10.0.0.0/8.');
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...others] = text.split('/');
  const version = isIP(address);
  if (version === 0 || others.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}
