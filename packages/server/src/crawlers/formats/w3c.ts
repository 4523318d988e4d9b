import type { LogFormat } from './format.ts';
import { readRawLine } from './raw-line.ts';
import { parseTime } from './time.ts';

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
    const isTabbed = line.includes('\t');
    const values = line.split(isTabbed ? '\t' : ' ');
    if (columns.count === 0) return looksExtended(values) ? 'no_fields' : undefined;
    // A line of another format may have as many words.
    if (values.length !== columns.count || !hasTime(values, columns)) return undefined;
    const decoded = (places: readonly number[]) =>
      firstOf(values, places, isTabbed ? decodePercentTwice : decodePlus);
    const day = values[columns.date];
    return readRawLine({
      time: day === undefined ? values[columns.timestamp] : `${day} ${values[columns.time] ?? ''}`,
      userAgent: decoded(columns.userAgent),
      method: values[columns.method],
      target: values[columns.target],
      query: values[columns.query],
      host: decoded(columns.host),
      address: values[columns.address],
      forwardedFor: decoded(columns.forwardedFor),
      forwarded: decoded(columns.forwarded),
      cfConnectingIp: decoded(columns.cfConnectingIp),
      trueClientIp: decoded(columns.trueClientIp),
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
    forwarded: [place('cs(forwarded)')],
    cfConnectingIp: [place('cs(cf-connecting-ip)')],
    trueClientIp: [place('cs(true-client-ip)')],
    status: place('sc-status'),
  };
}

/** What the first of these columns that has something says. */
function firstOf(
  values: readonly string[],
  places: readonly number[],
  decode: (value: string) => string,
): string | undefined {
  const found = places.map((place) => values[place]);
  const value = found.find((text) => text !== undefined && text !== '-');
  return value === undefined ? undefined : decode(value);
}

/** Whether a time stands where the columns say that it does. */
function hasTime(
  values: readonly string[],
  { date, time, timestamp }: ReturnType<typeof readColumns>,
): boolean {
  const day = values[date];
  if (day !== undefined) return looksExtended([day, values[time] ?? '']);
  return parseTime(values[timestamp]) !== undefined;
}

/** A day and a time in front: columns that a `#Fields` line has not explained. */
function looksExtended([day = '', time = '']: readonly string[]): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d:\d\d/.test(time);
}

/** IIS writes a plus for a space, and nothing else otherwise than it was sent. */
function decodePlus(text: string): string {
  return text.replaceAll('+', ' ');
}

/** CloudFront encodes what is odd, some of it twice; a plus is a plus. */
function decodePercentTwice(text: string): string {
  return decodePercent(/%25[0-9a-f]{2}/i.test(text) ? decodePercent(text) : text);
}

/** Bytes are UTF-8; a percent sign alone is one. */
function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
