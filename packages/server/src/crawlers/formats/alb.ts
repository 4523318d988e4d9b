import type { LogFormat } from './format.ts';
import { closingQuote, unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/**
 * AWS Application Load Balancer, and the Classic one, which has no type in front.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
 */
export const alb: LogFormat = {
  name: 'alb',
  userAgentOf,
  decodeUserAgent: unescapeText,
  parse,
};

/** `2026-11-20T12:34:56.789012Z ` at the start, or behind a type. */
const beginning = /^(?:[a-z0-9]{2,5} )?\d{4}-\d\d-\d\dT[\d:.]{15}Z /;

/** The second quoted string, in a line whose first or second field is a time. */
function userAgentOf(line: string): string | undefined {
  if (!beginning.test(line)) return undefined;
  const request = line.indexOf('"');
  const agent = request === -1 ? -1 : closingQuote(line, request) + 2;
  if (agent < 2 || !line.startsWith(' "', agent - 1)) return undefined;
  const end = closingQuote(line, agent);
  return end === -1 ? undefined : line.slice(agent + 1, end);
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
