import type { LogLine, SignatureHeaders, SkipReason } from '../log-line.ts';
import type { RawLine } from './field-names.ts';
import { normaliseHost } from '../../values/sites/host.ts';
import { decodePercentTwice } from './quoted.ts';
import { parseTime } from './time.ts';

/** Makes a request of the fields that a format found, or returns why it cannot. */
export function readRawLine(raw: RawLine): LogLine | SkipReason {
  const userAgent = agentOf(raw);
  if (userAgent === null) return 'no_user_agent';
  const atMs = requestTimeOf(raw);
  if (atMs === undefined) return 'bad_time';
  const request = readRequest(raw);
  if (request === undefined) return 'no_request';
  const loggedHost = loggedText(raw.host);
  const host = normaliseHost(loggedHost ?? '') ?? request.host;
  const line: LogLine = {
    atMs,
    host,
    address: loggedText(raw.address),
    forwardedFor: loggedText(raw.forwardedFor),
    forwarded: loggedText(raw.forwarded),
    cfConnectingIp: loggedText(raw.cfConnectingIp),
    trueClientIp: loggedText(raw.trueClientIp),
    originAuth: loggedText(raw.originAuth),
    method: request.method,
    target: request.target,
    status: statusOf(raw.status),
    userAgent,
    referer: loggedText(raw.referer),
    signature: signatureOf(raw, loggedHost ?? host),
  };
  const texts = [line.host ?? '', line.target, userAgent];
  const isText = texts.every((text) => !text.includes('\0') && text.isWellFormed());
  return isText ? line : 'not_text';
}

/** When the request came; undefined if no time can be read. */
export function requestTimeOf({ date, time }: RawLine): number | undefined {
  return parseTime(time) ?? parseTime(`${loggedText(date)} ${loggedText(time) ?? ''}`.trim());
}

/**
 * Decodes the fields of a log that encodes them, but the parts of a request: these are logged as they
 * were sent, encoded or not.
 */
export function decodeFields(raw: RawLine, decode: (text: string) => string): RawLine {
  const { method, target, query, ...rest } = raw;
  const decoded: RawLine = Object.fromEntries(
    Object.entries(rest).map(([field, value]) => [
      field,
      typeof value === 'string' ? decode(value) : value,
    ]),
  );
  return { ...decoded, method, target, query };
}

/** The text of a value. Null for an empty value, and for the `-` that logs write for one. */
export function loggedText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value !== '-' ? value : null;
}

/** The user agent as it was sent: one without any space has been encoded, as a URL or as by IIS. */
function agentOf({ userAgent }: RawLine): string | null {
  const text = loggedText(userAgent);
  if (text === null || text.includes(' ')) return text;
  if (/%[0-9a-f]{2}/i.test(text)) return decodePercentTwice(text);
  return /^(?:Mozilla\/\d\.\d\+|[\w.-]+\/[\d.]+\+\()/.test(text) ? text.replaceAll('+', ' ') : text;
}

function readRequest({ request, method, target, query }: RawLine): ReturnType<typeof readTarget> {
  const line = loggedText(request);
  const requested = line === null ? undefined : readRequestLine(line);
  if (requested !== undefined) return requested;
  // Some call the path the request, or the request the path.
  const path = line?.startsWith('/') === true ? line : loggedText(target);
  if (path !== null && / HTTP\/[\d.]+$/.test(path)) return readRequestLine(path);
  if (path === null) return undefined;
  const search = loggedText(query)?.replace(/^\?/, '');
  const isWhole = search === undefined || path.includes('?');
  return readTarget(loggedText(method) ?? '', isWhole ? path : `${path}?${search}`);
}

/** 0 and -1 are what some platforms write for a request that was never answered. */
function statusOf(value: unknown): number | null {
  const status = typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value;
  const isStatus = typeof status === 'number' && Number.isInteger(status);
  return isStatus && status > 0 && status <= 999 ? status : null;
}

function signatureOf(raw: RawLine, host: string | null): SignatureHeaders | null {
  const signatureAgent = loggedText(raw.signatureAgent);
  const signatureInput = loggedText(raw.signatureInput);
  const signature = loggedText(raw.signature);
  if (signatureAgent === null || signatureInput === null || signature === null) return null;
  const scheme = loggedText(raw.scheme) === 'http' ? 'http' : 'https';
  const ownPort = scheme === 'http' ? /:80$/ : /:443$/;
  const authority = host?.toLowerCase().replace(ownPort, '') ?? null;
  return { signatureAgent, signatureInput, signature, authority, scheme };
}

/**
 * Reads `GET /path HTTP/1.1`; the version may be missing. Undefined if it is not a request. Clients
 * choose all of a request: the patterns try no space twice, so that none is slow.
 */
export function readRequestLine(line: string): ReturnType<typeof readTarget> {
  const [, method = '', rest = ''] = /^([^ ]*) +(.*)$/s.exec(line) ?? [];
  return readTarget(method, rest.replace(/(?<! )(?: +HTTP\/[\d.]+)? *$/i, ''));
}

/**
 * Reads a method and a target that are apart; the target without scheme and host. Methods are tokens (RFC 9110, 9.1); targets have one of
 * the forms of RFC 9112, 3.2, and are one line. Undefined if they are not.
 */
function readTarget(method: string, target: string) {
  if (!/^[A-Za-z][A-Za-z0-9!#$%&'*+.^_`|~-]{0,31}$/.test(method)) return undefined;
  if (/[\r\n]/.test(target)) return undefined;
  if (target === '*' || target.startsWith('/')) return { method, target, host: null };
  const [, authority, rest = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  if (authority !== undefined) {
    const path = rest.startsWith('/') ? rest : `/${rest}`;
    return { method, target: path, host: normaliseHost(authority) ?? null };
  }
  return method === 'CONNECT' && target !== '' ? { method, target, host: null } : undefined;
}
