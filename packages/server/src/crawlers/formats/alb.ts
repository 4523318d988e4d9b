import type { LogFormat } from './format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/**
 * AWS Application Load Balancer, and the Classic one, which has no type in front.
 * https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
 */
export const alb: LogFormat = {
  name: 'alb',
  parse,
};

const pattern =
  /^(?:(?:https?|h2|grpcs|wss?) )?(\d{4}-\d\d-\d\dT[\d:.]+Z) \S+ (\S+) \S+ \S+ \S+ \S+ (\d{3}|-) (?:\d+|-) \S+ \S+ "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

function parse(line: string): ReturnType<LogFormat['parse']> {
  const match = pattern.exec(line);
  if (match === null) return undefined;
  const [, time, client = '', status, request = '', userAgent = ''] = match;
  // A request that was not understood is logged as "- http://host:80- ".
  return readRawLine({
    time,
    // The port is always there, behind IPv6 without brackets too.
    address: client.replace(/:\d+$/, ''),
    status,
    request: unescapeText(request),
    userAgent: unescapeText(userAgent),
  });
}
