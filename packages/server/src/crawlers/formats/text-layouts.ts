import { looksLikeSite, normaliseHost } from '../../values/sites/host.ts';
import type { LogFormat } from './format.ts';
import { fieldsOfJson } from './json-format.ts';
import { decodeBytes, unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';
import type { RawLine } from './field-names.ts';

/** One layout of lines of text: a pattern whose groups are the fields of a request. */
interface TextLayout {
  readonly title: string;
  readonly pattern: RegExp;
  /** Makes fields of other groups. */
  readonly also?: (groups: Readonly<Record<string, string | undefined>>) => RawLine;
}

/** Makes a format of a layout. Escapes in quoted values are decoded. */
export function textFormat({ pattern, also = () => ({}) }: TextLayout): LogFormat {
  return (line) => {
    const groups = pattern.exec(line)?.groups;
    if (groups === undefined) return undefined;
    const { request = '', userAgent = '', target = '' } = groups;
    return readRawLine({
      ...groups,
      request: unescapeText(request),
      userAgent: unescapeText(userAgent),
      target: unescapeText(target),
      ...also(groups),
    });
  };
}

const quoted = String.raw`(?:[^"\\]|\\.)*`;
const request = `"(?<request>${quoted})"`;
const userAgent = `"(?<userAgent>${quoted})"`;
const cameFrom = `"(?<referer>${quoted})"`;
const status = String.raw`(?<status>\d{3}|-)`;
const ncsaTime = String.raw`\[(?<time>[^\][]+)\]`;

/**
 * Layouts of lines of text by their names, in the order in which they are tried. Every part of a pattern ends at a
 * character that it cannot contain, so that no line is slow.
 */
export const textLayouts: Readonly<Record<string, TextLayout>> = {
  // https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html
  alb: {
    title: 'AWS Application and Classic Load Balancer',
    pattern: new RegExp(
      String.raw`^(?:(?:https?|h2|grpcs|wss?) )?(?<time>\d{4}-\d\d-\d\dT[\d:.]+Z) \S+ (?<client>\S+) \S+ \S+ \S+ \S+ ${status} (?:\d+|-) \S+ \S+ ${request} ${userAgent}`,
    ),
    // The port is always there, behind IPv6 without brackets too.
    also: ({ client = '' }) => ({ address: client.replace(/:\d+$/, '') }),
  },
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html
  s3: {
    title: 'AWS S3 server access logs',
    pattern: new RegExp(
      String.raw`^\S+ \S+ ${ncsaTime} (?<address>\S+) \S+ \S+ [A-Z\d]+\.[A-Z_.]+ \S+ (?:-|${request}) ${status} \S+ \S+ \S+ \S+ \S+ (?:-|${cameFrom}) (?:-|${userAgent}) \S+(?: \S+ \S+ \S+ \S+ (?<host>\S+))?`,
    ),
  },
  // All fields, in the order of the documentation. `cs-host` is the site, unlike in standard logs.
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/real-time-logs.html
  'cloudfront-realtime': {
    title: 'CloudFront real-time logs with all fields; fewer of them with `fields=`',
    pattern:
      /^(?<time>\d{10}(?:\.\d+)?)\t(?<address>[\da-fA-F.:]+)\t[\d.-]+\t(?<status>\d{3})\t\d+\t(?<method>[A-Z]+)\t(?<scheme>\w+)\t(?<host>[^\t]*)\t(?<target>[^\t]*)\t\d+\t[^\t]*\t[^\t]*\t[^\t]*\t[\d.-]+\t[^\t]*\tIPv[46]\t(?<userAgent>[^\t]*)\t(?<referer>[^\t]*)\t[^\t]*\t(?<query>[^\t]*)(?:\t[^\t]*\t(?<forwardedFor>[^\t]*))?/,
  },
  // Envoy's default has X-Forwarded-For alone, which a client can write; Istio's has the client too.
  // https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage
  // https://istio.io/latest/docs/tasks/observability/logs/access-log/
  envoy: {
    title: 'Envoy and Istio, text; Envoy’s default has no address of the client',
    pattern: new RegExp(
      String.raw`^\[(?<time>\d{4}-[^\][]+)\] ${request} ${status}(?: (?:"${quoted}"|[^" ]+)){4,9} "(?<forwardedFor>${quoted})" ${userAgent} "${quoted}" "(?<host>${quoted})" "${quoted}"(?: \S+ \S+ \S+ (?<address>\S+))?`,
    ),
  },
  // https://docs.haproxy.org/3.0/configuration.html#8.2.3
  haproxy: {
    title:
      'HAProxy (`option httplog`) that captures the user agent; a site that is captured first counts',
    pattern: new RegExp(
      String.raw`^(?<address>\S+):\d+ ${ncsaTime} \S+ \S+ [-+\d/]+ (?<status>-?\d+) \S+ \S+ \S+ [-\w]{4} [-+\d/]+ [-+\d/]+ \{(?<captures>[^{}]*)\} (?:\{[^{}]*\} )?${request}`,
    ),
    also: ({ captures = '' }) => readCaptures(captures.split('|').map(decodeHash)),
  },
  // https://github.com/NginxProxyManager/nginx-proxy-manager
  'nginx-proxy-manager': {
    title: 'Nginx Proxy Manager',
    pattern: new RegExp(
      String.raw`^${ncsaTime} (?:\S+ (?:-|\d{3})(?:[,:] ?\d{3})* )?${status} - (?<method>\S+) (?<scheme>\S+) (?<host>\S+) "(?<target>${quoted})" \[Client (?<address>[^\][ ]+)\] \[Length [^\][]*\] \[Gzip [^\][]*\](?: \[Sent-to [^\][]*\])? ${userAgent}(?: ${cameFrom})?`,
    ),
  },
  // https://caddyserver.com/docs/caddyfile/directives/log#console
  'caddy-console': {
    title: "Caddy's console, whose times have no zone and are taken as UTC",
    pattern:
      /^(?<time>\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d(?:\.\d+)?)\s+\S+\s+http\.log\.access\S*\s+handled request\s+(?<json>\{.*)$/,
    also: ({ json = '', time }) => ({ ...fieldsOfJson(json), time }),
  },
  // Strict about the number of fields: a client can write a bar into some.
  // https://docs.bunny.net/cdn/logging
  bunny: {
    title: 'Bunny CDN, which masks addresses unless its settings say otherwise',
    pattern:
      /^(?:BOM|\ufeff)?[A-Z_-]*\|(?<status>\d+)\|(?<time>\d{13})\|\d+\|\d+\|(?<address>[^|]*)\|(?<referer>[^|]*)\|(?<target>[^|]*)\|[^|]*\|(?<userAgent>[^|]*)\|[^|]*\|[^|]*$/,
    also: () => ({ method: 'GET' }),
  },
  // https://kinsta.com/docs/wordpress-hosting/wordpress-logs/
  kinsta: {
    title: 'Kinsta',
    pattern: new RegExp(
      String.raw`^(?<host>\S+) (?<address>\S+) ${ncsaTime} (?<method>[A-Z]+) "(?<target>${quoted})" HTTP\/[\d.]+ ${status} ${cameFrom} ${userAgent}`,
    ),
  },
  // The address before it is a load balancer's. https://docs.cloudfoundry.org/concepts/http-routing.html
  gorouter: {
    title: 'Gorouter of Cloud Foundry, with the client in X-Forwarded-For',
    pattern: new RegExp(
      String.raw`^(?<host>\S+) - \[(?<time>\d{4}-[^\][]+)\] ${request} ${status} \d+ \d+ ${cameFrom} ${userAgent} "(?<client>[^" ]+)" "[^" ]*" x_forwarded_for:"(?<forwardedFor>${quoted})"`,
    ),
    also: ({ client = '' }) => ({ address: client.replace(/:\d+$/, '') }),
  },
  // https://www.alibabacloud.com/help/en/cdn/user-guide/download-logs
  'alibaba-cdn': {
    title: "Alibaba Cloud CDN's offline logs",
    pattern: new RegExp(
      String.raw`^${ncsaTime} (?<address>\S+) \S+ \d+ ${cameFrom} ${request} ${status} \d+ \d+ \S+ ${userAgent} "${quoted}"`,
    ),
  },
  // https://apisix.apache.org/docs/apisix/
  apisix: {
    title: 'Apache APISIX',
    pattern: new RegExp(
      String.raw`^(?<address>\S+) - \S+ ${ncsaTime} (?<host>[^" ]+) ${request} ${status} \S+ [\d.]+ ${cameFrom} ${userAgent}`,
    ),
  },
};

/** The user agent is the longest capture that does not look like another header. */
function readCaptures(captures: readonly string[]) {
  const [first = ''] = captures;
  const words = captures.filter(
    (text) => !/^(?:https?:\/\/|[\d.,: ]*$)/i.test(text) && !looksLikeSite(text),
  );
  const agent = words.toSorted((left, right) => right.length - left.length)[0];
  const referer = captures.find((text) => /^https?:\/\//i.test(text));
  return {
    userAgent: agent,
    referer,
    host: looksLikeSite(first) ? normaliseHost(first) : undefined,
  };
}

/** HAProxy writes what would confuse a reader as a number sign and two digits. */
function decodeHash(text: string): string {
  return text.replace(/(?:#[0-9A-F]{2})+/g, decodeBytes);
}
