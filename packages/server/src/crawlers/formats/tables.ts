import { isRequest, nameFields } from './field-names.ts';
import type { RawLine } from './field-names.ts';
import type { LogFormat, TableFormat } from './format.ts';
import { decodePercentTwice, splitValues } from './quoted.ts';
import { decodeFields, momentOf, readRawLine } from './raw-line.ts';

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
  return { direct, parse };

  function direct(line: string): boolean {
    const names = /^#\s*Fields:(.*)$/is.exec(line)?.[1];
    if (names === undefined) return false;
    columns = names.trim().split(/\s+/);
    return true;
  }

  function parse(line: string): ReturnType<LogFormat> {
    const isTabbed = line.includes('\t');
    const values = isTabbed ? line.split('\t') : splitSpaces(line, columns.length + 2);
    if (columns.length === 0) return looksExtended(values) ? 'no_fields' : undefined;
    // A line of another format may have as many words.
    if (values.length !== columns.length) return undefined;
    const raw = readRow(columns, values);
    if (momentOf(raw) === undefined) return undefined;
    return readRawLine(decodeFields(raw, isTabbed ? decodePercentTwice : decodePlus));
  }
}

/** CSV with a header, its columns apart by commas, semicolons, tabs or bars. */
export function createCsvFormat(): TableFormat {
  let columns: readonly string[] = [];
  let separator = ',';
  return { direct, parse };

  function direct(line: string): boolean {
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
    const values = splitValues(line, separator, columns.length + 1);
    if (values.length !== columns.length) return undefined;
    const raw = readRow(columns, values);
    return momentOf(raw) === undefined ? undefined : readRawLine(raw);
  }
}

function readRow(columns: readonly string[], values: readonly string[]): RawLine {
  return nameFields(columns.map((name, place) => [name, values[place]]));
}

/** Splits columns at spaces; a quoted column may contain spaces. */
function splitSpaces(line: string, valuesMax: number): readonly string[] {
  return line.includes('"') ? splitValues(line, ' ', valuesMax) : line.split(' ');
}

/** A day and a time in front: columns that a `#Fields` line has not explained. */
function looksExtended([day = '', time = '']: readonly string[]): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d:\d\d/.test(time);
}

/** IIS writes a plus for a space, and nothing else otherwise than it was sent. */
function decodePlus(text: string): string {
  return text.replaceAll('+', ' ');
}
