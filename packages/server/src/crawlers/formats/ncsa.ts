import type { LogFormat } from './format.ts';
import { readSides } from './ncsa-sides.ts';
import { createPlainNcsaReader } from './plain-ncsa.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/**
 * NCSA common and combined, as Apache and nginx write them: with a virtual host before the address or
 * after the user agent, or with X-Forwarded-For after it as in the `main` format of nginx's packages.
 * https://httpd.apache.org/docs/current/logs.html#accesslog
 */
export function createNcsaFormat(): LogFormat {
  return { name: 'ncsa', plain: createPlainNcsaReader(), parse };
}

const quoted = '"((?:[^"\\\\]|\\\\.)*)"';
/** What follows the time. Every part ends at a byte that it cannot hold, so that no line is slow. */
const afterTime = new RegExp(`^${quoted} (\\d{3}|-) (\\S+)(?: ${quoted} ${quoted}(.*))?$`, 's');

function parse(line: string): ReturnType<LogFormat['parse']> {
  const close = line.indexOf('] "');
  const open = line.lastIndexOf('[', close);
  if (line.startsWith('{') || close === -1 || open === -1) return undefined;
  const match = afterTime.exec(line.slice(close + 2));
  if (match === null) return undefined;
  const [, request = '', status, , , userAgent, after = ''] = match;
  const sides = readSides(line.slice(0, open), after);
  if (sides === undefined) return undefined;
  if (userAgent === undefined) return 'no_user_agent';
  return readRawLine({
    time: line.slice(open + 1, close),
    request: unescapeText(request),
    status,
    userAgent: unescapeText(userAgent),
    ...sides,
  });
}
