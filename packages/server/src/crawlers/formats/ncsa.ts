import { isAddress } from '../../values/addresses/address.ts';
import { createMemo } from '../../values/memo.ts';
import type { RawLine } from './field-names.ts';
import type { LogFormat } from './format.ts';
import { looksLikeSite, normaliseHost } from '../../values/sites/host.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/** A usual line: an address, a time, a path, and no escape before the end of the user agent. */
const usual =
  /^(?:([\w.-]+)(?::\d+)? )?([\da-fA-F.:]+) (- )?[^"\\[]*\[(\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\] "[A-Z]{1,32} (\/[^"\\]*)" (\d{3}|-) \S+ "([^"\\]*)" "([^"\\]{2,})"/;

/**
 * The fields of a usual line that show whether it is worth parsing; undefined to make no claim. The target
 * may have the rest of the line behind it. The address is undefined where it takes `parseNcsa` to tell the
 * peer's from another one.
 */
export function glanceAtNcsa(line: string) {
  const [whole, before, address, ident, time = '', target, status, referer, userAgent] =
    usual.exec(line) ?? [];
  if (target === undefined || referer === undefined || userAgent === undefined) return undefined;
  return {
    address: ident === undefined ? undefined : address,
    host: hostAround(before, line.slice(whole?.length)),
    time,
    target,
    status,
    referer,
    userAgent,
  };
}

/** The host before the address, or else after the user agent; null if the line does not have it. */
function hostAround(before: string | undefined, after: string): string | null {
  if (before !== undefined && before !== '-' && !isAddress(before)) return hostOf(before) ?? null;
  // Nothing in quotes is a host.
  return after === '' || after.endsWith('"') ? null : (readAfter(after).host ?? null);
}

/** Most lines of a log have the same few hosts. */
const hostOf = createMemo(normaliseHost, { entriesMax: 256, lengthMax: 256 });

const quoted = String.raw`"([^"\\]*(?:\\.[^"\\]*)*)"`;
/** The text after the time. Every part ends at a character that it cannot contain, so that no line is slow. */
const afterTime = new RegExp(`^${quoted} (\\d{3}|-) (\\S+)(?: ${quoted} ${quoted}(.*))?$`, 's');

/**
 * NCSA common and combined, as Apache and nginx write them: with a virtual host before the address or
 * after the user agent, or with X-Forwarded-For after it as in the `main` format of nginx's packages.
 * https://httpd.apache.org/docs/current/logs.html#accesslog
 */
export function parseNcsa(line: string): ReturnType<LogFormat> {
  const close = line.indexOf('] "');
  const open = line.lastIndexOf('[', close);
  if (line.startsWith('{') || close === -1 || open === -1) return undefined;
  const match = afterTime.exec(line.slice(close + 2));
  const before = match === null ? undefined : readBefore(line.slice(0, open).trimEnd());
  if (match === null || before === undefined) return undefined;
  const [, request = '', status, , referer, userAgent, after = ''] = match;
  if (userAgent === undefined) return 'no_user_agent';
  return readRawLine({
    time: line.slice(open + 1, close),
    request: unescapeText(request),
    status,
    userAgent: unescapeText(userAgent),
    referer,
    ...(after !== '' && readAfter(after)),
    ...before,
  });
}

/**
 * Reads the text before the time. Undefined if it is not known: an unknown prefix must not hide the
 * address. LiteSpeed writes its site in brackets, and keeps a quote of its configuration.
 */
function readBefore(text: string): RawLine | undefined {
  const bare = text.startsWith('"') ? text.slice(1) : text;
  const [, host = '', rest = ''] = /^\[([^\]\s]+)\] (.*)$/s.exec(bare) ?? [];
  if (!looksLikeSite(host)) return readClient(bare);
  const client = readClient(rest);
  return client && { host, ...client };
}

/**
 * `address ident user`, or `host address ident user`. The address may be a host name, which proves
 * nothing, or missing behind a Unix socket; some servers write X-Forwarded-For in its place.
 */
function readClient(text: string): RawLine | undefined {
  const [first = '', second = '', ...rest] = text.split(' ');
  const isSecond = rest.length >= 2 && isAddress(second);
  if (isAddress(first)) {
    // Two addresses are X-Forwarded-For and the peer.
    if (isSecond) return { address: second, forwardedFor: first };
    // lighttpd has the site where others have the name of ident.
    const hasSite = rest.length === 1 && looksLikeSite(second);
    return { address: first, ...(hasSite && { host: second }) };
  }
  if (looksLikeClient.test(`${text} `)) {
    return isSecond ? { address: second, ...(first !== '-' && { host: first }) } : {};
  }
  const isUnnamed =
    second === '-' && /^(?:unix:|(?![\d.]+$)[\w.-]+)$/.test(first) && !isAddress(rest[0] ?? '');
  if (isUnnamed) return {};
  const [, forwardedFor = ''] = /^((?:[\da-f.:]+, ?)+[\da-f.:]+) - /i.exec(text) ?? [];
  const isList = forwardedFor.split(',').every((hop) => isAddress(hop.trim()));
  return isList ? { forwardedFor } : undefined;
}

/** An address, or a name and an address, however wrong the numbers are. */
const looksLikeClient =
  /^(?:[\w.-]+(?::\d+)? )?(?:(?:[\da-f]+\.){3}[\da-f]+(?::\d+)?|(?:[\da-f.]*:){7}[\da-f.]*|[\da-f:.]*::[\da-f:.]*) /i;

/**
 * What follows the user agent: a first field in quotes may be X-Forwarded-For, one lone name without
 * quotes is the host. Nothing in quotes is a host, because clients write headers. Anything else is the
 * site's own, and not guessed at.
 */
function readAfter(text: string) {
  const [, hops, name = ''] = /^\s*(?:"((?:[^"\\]|\\.)*)")?\s*(.*)$/s.exec(text) ?? [];
  return {
    host: looksLikeSite(name.trimEnd()) ? normaliseHost(name.trimEnd()) : undefined,
    forwardedFor: hops?.split(',').some((hop) => isAddress(hop.trim())) ? hops : undefined,
  };
}
