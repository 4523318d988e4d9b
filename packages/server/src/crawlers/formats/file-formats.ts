import { Refusal } from '../../refusals.ts';
import type { LogLine, SkipReason } from '../log-line.ts';
import { customFormat } from './custom-format.ts';
import type { LogFormat, TableFormat } from './format.ts';
import { jsonFormat, parseObject } from './json-format.ts';
import { jsonLayouts } from './json-layouts.ts';
import { glanceAtNcsa, parseNcsa } from './ncsa.ts';
import { createCsvFormat, createW3cFormat } from './tables.ts';
import { textFormat, textLayouts } from './text-layouts.ts';
import { isRequest, nameFields } from './field-names.ts';
import type { NamedValue } from './field-names.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

export type FileFormats = ReturnType<typeof combineFormats>;

/** The formats of lines that need no other line, in the order in which they are tried. */
const stateless: readonly LogFormat[] = [
  parseNcsa,
  jsonFormat(Object.values(jsonLayouts)),
  ...Object.values(textLayouts).map(textFormat),
  parseLtsv,
  parseLogfmt,
];

const byName = new Map<string, LogFormat>([
  ...['ncsa', 'combined', 'common'].map((name) => [name, parseNcsa] as const),
  ...Object.entries(jsonLayouts).map(([name, layout]) => [name, jsonFormat([layout])] as const),
  ...Object.entries(textLayouts).map(([name, layout]) => [name, textFormat(layout)] as const),
  ['ltsv', parseLtsv],
  ['logfmt', parseLogfmt],
]);

/** What `--format` takes besides `auto` and `fields=...`, and what each is. */
export const formatTitles: Readonly<Record<string, string>> = {
  ncsa: 'NCSA common and combined, as Apache, nginx, lighttpd and LiteSpeed write them, with a virtual host before or after, or X-Forwarded-For after; `combined` is another name for it',
  ...Object.fromEntries(
    Object.entries({ ...jsonLayouts, ...textLayouts }).map(([name, { title }]) => [name, title]),
  ),
  w3c: 'W3C extended by its `#Fields` (IIS, CloudFront standard logs, Imperva)',
  csv: 'CSV with a header, such as WP Engine’s access logs; the separator is a comma, a semicolon, a tab or a bar',
  ltsv: 'LTSV (`label:value`)',
  logfmt: 'logfmt (`key=value`)',
};

export const formatNames: readonly string[] = Object.keys(formatTitles);

/**
 * The formats that a file may be in, by the value of `--format`. Throws a `Refusal` for an unknown
 * value.
 */
export function createFormats(choice: string): FileFormats {
  const tables = new Map([
    ['w3c', createW3cFormat()],
    ['csv', createCsvFormat()],
  ]);
  if (choice === 'auto') return withPrefixes(stateless, [...tables.values()]);
  if (choice.startsWith('fields='))
    return combineFormats([customFormat(choice.slice('fields='.length))]);
  const [format, table] = [byName.get(choice), tables.get(choice)];
  if (format !== undefined) return withPrefixes([format]);
  if (table !== undefined) return withPrefixes([], [table]);
  throw new Refusal('log_format_unknown', { format: choice, formats: formatNames });
}

/** Lines of formats, some of them in the wrapping of a container's or a syslog daemon's log. */
function withPrefixes(
  formats: readonly LogFormat[],
  tables: readonly TableFormat[] = [],
): FileFormats {
  const wrapped = combineFormats(formats);
  const parseWrapped: LogFormat = (line) => {
    const inner = unwrap(line);
    return inner === undefined ? undefined : wrapped.parse(inner);
  };
  return combineFormats([...formats, ...tables.map(({ parse }) => parse), parseWrapped], tables);
}

/** Lines of formats. The format of the line before is tried first. */
function combineFormats(formats: readonly LogFormat[], tables: readonly TableFormat[] = []) {
  let current = formats[0];
  return { glanceAt, parse, readDirective };

  /**
   * A glance at a line that `parse` can read; undefined to make no claim. Most lines are a person's and
   * need no more than this.
   */
  function glanceAt(line: string): ReturnType<typeof glanceAtNcsa> {
    return current === parseNcsa ? glanceAtNcsa(line) : undefined;
  }

  /** Reads a line, or returns why it has no request. */
  function parse(line: string): LogLine | SkipReason {
    const parsed = current?.(line);
    if (typeof parsed === 'object') return parsed;
    let reason = parsed;
    for (const format of formats) {
      const read = format(line);
      if (typeof read === 'object') {
        current = format;
        return read;
      }
      reason ??= read;
    }
    return reason ?? 'unknown_format';
  }

  /** Takes a line that names the columns of the lines after it. Returns false for any other line. */
  function readDirective(line: string): boolean {
    const table = tables.find((each) => each.readDirective(line));
    if (table !== undefined) current = table.parse;
    return table !== undefined;
  }
}

/**
 * LTSV: `label:value` with tabs between. Its `host` is the client, its `vhost` the site.
 * http://ltsv.org/
 */
function parseLtsv(line: string): ReturnType<LogFormat> {
  const pairs = line.split('\t').map((pair) => pair.split(/^([\w.@-]+):/).slice(1));
  if (pairs.length === 1 || pairs.some(({ length }) => length === 0)) return undefined;
  return readPairs(
    pairs.map(([label = '', value]) => [label === 'host' ? 'remotehost' : label, value]),
  );
}

/** logfmt: `key=value` with spaces between, a value with spaces in quotes. https://brandur.org/logfmt */
function parseLogfmt(line: string): ReturnType<LogFormat> {
  if (!/^[\w.@-]+=/.test(line)) return undefined;
  const pairs = line.matchAll(/(?<=^| )([\w.@-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))/g);
  return readPairs(
    Array.from(pairs, ([, key = '', quoted, bare = '']) => [
      key,
      quoted === undefined ? bare : unescapeText(quoted),
    ]),
  );
}

/** Undefined if the pairs are not a request's. */
function readPairs(pairs: readonly NamedValue[]): ReturnType<LogFormat> {
  const line = nameFields(pairs);
  return isRequest(line) ? readRawLine(line) : undefined;
}

const moment = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:?\d\d)`;

/** What runtimes and collectors write before a server's line. */
const prefixes = [
  // syslog: RFC 5424, and the older one with either form of time, with or without a host.
  new RegExp(String.raw`^<\d{1,3}>1 ${moment} \S+ \S+ \S+ \S+ (?:-|\[[^\]]*\]) (?:BOM|\ufeff)?`),
  new RegExp(
    String.raw`^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|${moment}) (?:\S+ )?[\w./-]+(?:\[\d+\])?: `,
  ),
  // `docker compose logs`, with `--timestamps` or without.
  new RegExp(String.raw`^[\w.-]+ +\| (?:${moment} )?`),
  // `kubectl logs --prefix`, with `--timestamps` or without.
  new RegExp(String.raw`^\[pod/[^\]\s]+\] (?:${moment} )?`),
  // Files of Kubernetes (CRI): whole lines, not parts (P). And `docker logs --timestamps`.
  new RegExp(`^${moment} (?:std(?:out|err) F )?`),
];

/**
 * The line inside a line of a container's or a syslog daemon's log, Docker's JSON files among them.
 * Undefined for other lines.
 */
function unwrap(line: string): string | undefined {
  if (line.startsWith('{')) {
    const { log } = parseObject(line) ?? {};
    return typeof log === 'string' ? log.trimEnd() : undefined;
  }
  for (const prefix of prefixes) {
    const length = prefix.exec(line)?.[0].length;
    if (length !== undefined) return line.slice(length);
  }
  return undefined;
}
