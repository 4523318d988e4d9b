import { parseAddress } from '../addresses/address.ts';
import type { LogFormat } from './format.ts';
import { hostOf } from './host.ts';
import { isNcsaBeginning } from './ncsa-beginning.ts';
import { createPlainNcsaReader } from './plain-ncsa.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine, textOf } from './raw-line.ts';

/**
 * NCSA common and combined, as Apache and nginx write them: with a virtual host before the address or
 * after the user agent, or with X-Forwarded-For after it as in the `main` format of nginx's packages.
 * https://httpd.apache.org/docs/current/logs.html#accesslog
 */
export function createNcsaFormat(): LogFormat {
  return { name: 'ncsa', userAgentOf: createPlainNcsaReader(), parse };
}

const quoted = '"((?:[^"\\\\]|\\\\.)*)"';
/** What follows the time. Every part ends at a byte that it cannot hold, so that no line is slow. */
const afterTime = new RegExp(`^${quoted} (\\d{3}|-) (\\S+)(?: ${quoted} ${quoted}(.*))?$`, 's');

function parse(line: string): ReturnType<LogFormat['parse']> {
  const close = line.indexOf('] "');
  const open = line.lastIndexOf('[', close);
  if (line.startsWith('{') || close === -1 || open === -1) return undefined;
  const match = afterTime.exec(line.slice(close + 2));
  const before = match === null ? undefined : readBefore(line, open);
  if (match === null || before === undefined) return undefined;
  const [, request = '', status, , , userAgent, after = ''] = match;
  if (userAgent === undefined) return 'no_user_agent';
  const trailing = readAfter(after);
  return readRawLine({
    time: line.slice(open + 1, close),
    request: unescapeText(request),
    status,
    userAgent: unescapeText(userAgent),
    host: before.host ?? trailing.host,
    address: before.address,
    forwardedFor: before.forwardedFor ?? trailing.forwardedFor,
  });
}

interface Sides {
  readonly host: string | null;
  readonly address: string | null;
  readonly forwardedFor: string | null;
}

/**
 * `address ident user`, or `host address ident user`. A server that resolves names has a name for the
 * address, which proves nothing, one behind a socket has none; some have X-Forwarded-For in its place.
 * Undefined for anything else: a prefix that is not known must not hide the address.
 */
function readBefore(line: string, end: number): Sides | undefined {
  const text = line.slice(0, end).trimEnd();
  const [first = '', second = '', ...rest] = text.split(' ');
  if (isNcsaBeginning(line, 0, end) || isAddress(first)) {
    const isHostFirst = rest.length >= 2 && isAddress(second);
    return isHostFirst
      ? { ...nothing, host: textOf(first), address: second }
      : { ...nothing, address: isAddress(first) ? first : null };
  }
  const isUnnamed =
    second === '-' && /^(?:unix:|[\w.-]+)$/.test(first) && !isAddress(rest[0] ?? '');
  if (isUnnamed) return nothing;
  const [, forwardedFor = ''] = /^((?:[\da-f.:]+, ?)+[\da-f.:]+) - /i.exec(text) ?? [];
  return forwardedFor.split(',').every(isAddress) ? { ...nothing, forwardedFor } : undefined;
}

const nothing: Sides = { host: null, address: null, forwardedFor: null };

const siteName = /^(?:[a-z\d-]+\.)+(?:[a-z]{2,}|xn--[a-z\d-]+)(?::\d+)?$/i;
/** Names of machines, upstreams and sockets, by which nobody on the internet can come. */
const unreachable =
  /\.(?:corp|home|internal|intranet|invalid|lan|local|localdomain|localhost|onion|php|private|sock)(?::\d+)?$/i;

/**
 * What follows the user agent: addresses in quotes are X-Forwarded-For, one lone name that a site may
 * have is the host. Anything else is the site's own, and not guessed at.
 */
function readAfter(text: string): Sides {
  if (text === '') return nothing;
  const fields = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([whole, inner]) => inner ?? whole,
  );
  const [first = ''] = fields;
  const hasForwarded = text.trimStart().startsWith('"') && first.split(',').some(isAddress);
  const names = hasForwarded ? fields.slice(1) : fields;
  const [name = ''] = names;
  const isHost = names.length === 1 && siteName.test(name) && !unreachable.test(name);
  return {
    ...nothing,
    host: isHost ? hostOf(name) : null,
    forwardedFor: hasForwarded ? first : null,
  };
}

function isAddress(text: string): boolean {
  return parseAddress(text.trim()) !== undefined;
}
