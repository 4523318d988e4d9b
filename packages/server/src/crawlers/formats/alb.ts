import type { LogFormat, Span } from './format.ts';
import { findQuote, findQuoted, unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/**
 * AWS Application Load Balancer, and the Classic one, which has no type in front.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
 */
export const alb: LogFormat = {
  name: 'alb',
  locateUserAgent,
  decodeUserAgent: unescapeText,
  parse,
};

const zulu = 0x5a;

/** The second quoted string, in a line whose first or second field is a time. */
function locateUserAgent(bytes: Uint8Array, start: number, end: number, found: Span): boolean {
  if (!beginsWithTime(bytes, start, end)) return false;
  const request = findQuote(bytes, start, end);
  if (request === -1 || !findQuoted(bytes, request, end, found)) return false;
  if (bytes[found.end + 2] !== 0x22) return false;
  return findQuoted(bytes, found.end + 2, end, found);
}

/** `2026-11-20T12:34:56.789012Z ` at the start, or behind a type of at most five letters. */
function beginsWithTime(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] ?? 0;
  let place = start;
  if (first > 0x39) {
    while (place < end && place < start + 6 && bytes[place] !== 0x20) place++;
    place++;
  }
  return bytes[place + 10] === 0x54 && bytes[place + 26] === zulu;
}

const pattern =
  /^(?:(?:https?|h2|grpcs|wss?) )?(\d{4}-\d\d-\d\dT[\d:.]+Z) \S+ (\S+) \S+ \S+ \S+ \S+ (\d{3}|-) (?:\d+|-) \S+ \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

function parse(line: string): ReturnType<LogFormat['parse']> {
  const match = pattern.exec(line);
  if (match === null) return undefined;
  const [, time, address, status, request = '', userAgent = ''] = match;
  // A request that was not understood is logged as "- http://host:80- ".
  return readRawLine({
    time,
    address,
    status,
    request: unescapeText(request),
    userAgent: unescapeText(userAgent),
  });
}
