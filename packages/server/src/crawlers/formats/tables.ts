import { isRequest, nameFields } from './field-names.ts';
import type { RawLine } from './field-names.ts';
import type { LogFormat, TableFormat } from './format.ts';
import { decodePercentTwice, splitValues } from './quoted.ts';
import { decodeFields, requestTimeOf, readRawLine } from './raw-line.ts';

/** More columns than this no header of a log has. */
const columnsMax = 200;

/**
 * W3C extended by its `#Fields`: IIS writes columns with spaces between them and `+` in values, or
 * quotes; CloudFront tabs and percent-encoded values, some of them twice.
 * https://www.w3.org/TR/WD-logfile.html
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export function createW3cFormat(): TableFormat {
  let columns: readonly string[] = [];
  return { readDirective, parse };

  function readDirective(line: string): boolean {
    const names = /^#\s*Fields:(.*)$/is.exec(line)?.[1];
    if (names === undefined) return false;
    columns = names.trim().split(/\s+/);
    return true;
  }

  function parse(line: string): ReturnType<LogFormat> {
    const isTabbed = line.includes('\t');
    const values = splitValues(line, isTabbed ? '\t' : ' ', columns.length + 2);
    if (columns.length === 0) return looksExtended(values) ? 'no_fields' : undefined;
    const raw = readRow(columns, values);
    return raw && readRawLine(decodeFields(raw, isTabbed ? decodePercentTwice : decodePlus));
  }
}

/** CSV with a header. The separator is a comma, a semicolon, a tab or a bar. */
export function createCsvFormat(): TableFormat {
  let columns: readonly string[] = [];
  let separator = ',';
  return { readDirective, parse };

  function readDirective(line: string): boolean {
    for (const candidate of [',', ';', '\t', '|']) {
      const names = splitValues(line, candidate, columnsMax);
      const named = nameFields(names.map((name) => [name, name]));
      if (!isRequest(named) || named.userAgent === undefined) continue;
      [columns, separator] = [names, candidate];
      return true;
    }
    return false;
  }

  function parse(line: string): ReturnType<LogFormat> {
    if (columns.length === 0) return undefined;
    const raw = readRow(columns, splitValues(line, separator, columns.length + 1));
    return raw && readRawLine(raw);
  }
}

/** Undefined for a line of another format, which may have as many words. */
function readRow(columns: readonly string[], values: readonly string[]): RawLine | undefined {
  if (values.length !== columns.length) return undefined;
  const raw = nameFields(columns.map((name, place) => [name, values[place]]));
  return requestTimeOf(raw) === undefined ? undefined : raw;
}

/** A day and a time in front: columns that a `#Fields` line has not explained. */
function looksExtended([day = '', time = '']: readonly string[]): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d:\d\d/.test(time);
}

/** IIS writes a plus for a space, and nothing else otherwise than it was sent. */
function decodePlus(text: string): string {
  return text.replaceAll('+', ' ');
}
