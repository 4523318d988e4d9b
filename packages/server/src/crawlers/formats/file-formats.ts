import { Refusal } from '../../refusals.ts';
import type { LogLine, SkipReason } from '../log-line.ts';
import { customFormat } from './custom-format.ts';
import type { LogFormat, TableFormat } from './format.ts';
import { jsonFormat } from './json-format.ts';
import { jsonLayouts } from './json-layouts.ts';
import { glanceAtNcsa, parseNcsa } from './ncsa.ts';
import { parseLogfmt, parseLtsv } from './pairs.ts';
import { unwrap } from './unwrap.ts';
import { createCsvFormat, createW3cFormat } from './tables.ts';
import { textFormat, textLayouts } from './text-layouts.ts';

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
