import type { LogFormat } from './format.ts';
import { readRawLine } from './raw-line.ts';

/** The format, and the directive that says what its columns are. */
export interface W3cFormat extends LogFormat {
  /** Takes a `#` line; true for `#Fields`. */
  direct(line: string): boolean;
}

/**
 * W3C extended by its `#Fields`: IIS writes columns with spaces between them and `+` in values,
 * CloudFront tabs and percent-encoded values, some of them twice.
 * https://www.w3.org/TR/WD-logfile.html
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
export function createW3cFormat(): W3cFormat {
  let columns = readColumns([]);
  return { name: 'w3c', direct, parse };

  function direct(line: string): boolean {
    const names = /^#\s*Fields:(.*)$/is.exec(line)?.[1];
    if (names === undefined) return false;
    columns = readColumns(names.trim().toLowerCase().split(/\s+/));
    return true;
  }

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const values = line.split(line.includes('\t') ? '\t' : ' ');
    if (columns.count === 0) return looksExtended(values) ? 'no_fields' : undefined;
    if (values.length !== columns.count) return undefined;
    const day = values[columns.date];
    return readRawLine({
      time: day === undefined ? values[columns.timestamp] : `${day} ${values[columns.time] ?? ''}`,
      userAgent: decodedAt(values, columns.userAgent),
      method: values[columns.method],
      target: values[columns.target],
      query: values[columns.query],
      host: decodedAt(values, columns.host),
      address: values[columns.address],
      forwardedFor: decodedAt(values, columns.forwardedFor),
      status: values[columns.status],
    });
  }
}

/** The places of the columns that matter; -1, where nothing stands, for those that are not there. */
function readColumns(names: readonly string[]) {
  const place = (name: string): number => names.lastIndexOf(name);
  return {
    count: names.length,
    date: place('date'),
    time: place('time'),
    timestamp: place('timestamp'),
    userAgent: [place('cs(user-agent)')],
    method: place('cs-method'),
    target: names.includes('cs-uri-stem') ? place('cs-uri-stem') : place('cs-uri'),
    query: place('cs-uri-query'),
    host: ['x-host-header', 'cs-host', 'cs(host)'].map(place),
    address: place('c-ip'),
    forwardedFor: ['x-forwarded-for', 'cs(x-forwarded-for)'].map(place),
    status: place('sc-status'),
  };
}

/** The first of these columns that has something. */
function decodedAt(values: readonly string[], places: readonly number[]): string | undefined {
  for (const place of places) {
    const value = values[place];
    if (value !== undefined && value !== '-') return decodeValue(value);
  }
  return undefined;
}

/** A day and a time in front: columns that a `#Fields` line has not explained. */
function looksExtended([day = '', time = '']: readonly string[]): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d:\d\d/.test(time);
}

function decodeValue(raw: string): string {
  // What holds an encoded space is CloudFront's; in IIS a plus stands for one.
  if (!/%[0-9a-f]{2}/i.test(raw)) return raw.replaceAll('+', ' ');
  return decodePercent(/%25[0-9a-f]{2}/i.test(raw) ? decodePercent(raw) : raw);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
