import { Refusal } from '../../refusals.ts';
import { customFormat } from './custom.ts';
import type { LogFormat } from './format.ts';
import { jsonFormat } from './json-format.ts';
import { jsonLayouts, plainJson } from './json-layouts.ts';
import { ncsa } from './ncsa.ts';
import { logfmt, ltsv } from './pairs.ts';
import { createPrefixedFormat } from './prefixed.ts';
import { createCsvFormat, createW3cFormat } from './tables.ts';
import { textFormat, textLayouts } from './text-layouts.ts';

/** The formats that are alike for all files, in the order in which they are tried. */
const stateless: readonly LogFormat[] = [
  ncsa,
  ...jsonLayouts.map(jsonFormat),
  ...textLayouts.map(textFormat),
  ltsv,
  logfmt,
  jsonFormat(plainJson),
];

/** The formats of one file, in the order in which they are tried. */
export interface FileFormats {
  readonly candidates: readonly LogFormat[];
  /** Takes a line that may name the columns of the lines after it: the format that it does so for. */
  direct(line: string): LogFormat | undefined;
}

/** What `--format` takes besides `auto` and `fields=...`, and what each is. */
export const formatTitles: Readonly<Record<string, string>> = {
  ncsa: 'NCSA common and combined, as Apache, nginx, lighttpd and LiteSpeed write them, with a virtual host before or after, or X-Forwarded-For after; `combined` is another name for it',
  ...Object.fromEntries(
    [...jsonLayouts, plainJson, ...textLayouts].map(({ name, title }) => [name, title]),
  ),
  w3c: 'W3C extended by its `#Fields` (IIS, CloudFront standard logs, Imperva)',
  csv: 'CSV with a header, its columns apart by commas, semicolons, tabs or bars',
  ltsv: 'LTSV (`label:value`)',
  logfmt: 'logfmt (`key=value`)',
};

/** The names that `--format` takes besides `auto` and `fields=...`. */
export const formatNames: readonly string[] = Object.keys(formatTitles);

/**
 * The formats that a file may be in, by the value of `--format`. Throws a `Refusal` for an unknown
 * value.
 */
export function createFormats(choice: string): FileFormats {
  const tables = [createW3cFormat(), createCsvFormat()];
  if (choice === 'auto') return among([...stateless, ...tables], stateless);
  if (choice.startsWith('fields=')) {
    return { candidates: [customFormat(choice.slice('fields='.length))], direct: () => undefined };
  }
  const wanted = choice === 'combined' || choice === 'common' ? 'ncsa' : choice;
  const found = [...stateless, ...tables].find(({ name }) => name === wanted);
  if (found !== undefined) return among([found], [found]);
  throw new Refusal('log_format_unknown', { format: choice, formats: formatNames });

  function among(formats: readonly LogFormat[], wrapped: readonly LogFormat[]): FileFormats {
    return {
      candidates: [...formats, createPrefixedFormat(wrapped)],
      direct: (line) => tables.find((table) => formats.includes(table) && table.direct(line)),
    };
  }
}
