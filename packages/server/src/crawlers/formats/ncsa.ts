import type { Glance, LogFormat } from './format.ts';
import { readSides } from './ncsa-sides.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/** A usual line: an address, a time, a path, and no escape before the end of the user agent. */
const usual =
  /^(?:[\w.-]+(?::\d+)? )?[\da-fA-F.:]+ [^"\\[]*\[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "[A-Z]{1,32} (\/[^"\\]*)" (?:\d{3}|-) \S+ "([^"\\]*)" "([^"\\]{2,})"/;

/** A glance at a usual line; undefined to make no claim. */
export function glanceAtNcsa(line: string): Glance | undefined {
  const [, target, referer, userAgent] = usual.exec(line) ?? [];
  if (target === undefined || referer === undefined || userAgent === undefined) return undefined;
  return { userAgent, referer, target };
}

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
  if (match === null) return undefined;
  const [, request = '', status, , referer, userAgent, after = ''] = match;
  const sides = readSides(line.slice(0, open), after);
  if (sides === undefined) return undefined;
  if (userAgent === undefined) return 'no_user_agent';
  return readRawLine({
    time: line.slice(open + 1, close),
    request: unescapeText(request),
    status,
    userAgent: unescapeText(userAgent),
    referer,
    ...sides,
  });
}
