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
  let columns: readonly string[] = [];
  let agentColumn = -1;
  return { name: 'w3c', direct, userAgentOf, decodeUserAgent: decodeValue, parse };

  function direct(line: string): boolean {
    const names = /^#\s*Fields:\s*(.*)$/i.exec(line)?.[1];
    if (names === undefined) return false;
    columns = names
      .trim()
      .split(/\s+/)
      .map((name) => name.toLowerCase());
    agentColumn = columns.indexOf('cs(user-agent)');
    return true;
  }

  function userAgentOf(line: string): string | undefined {
    if (agentColumn === -1) return undefined;
    return line.split(line.includes('\t') ? '\t' : ' ', agentColumn + 1)[agentColumn];
  }

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const values = line.split(line.includes('\t') ? '\t' : ' ');
    if (columns.length === 0) return looksExtended(values) ? 'no_fields' : undefined;
    if (values.length !== columns.length) return undefined;
    const row = new Map(columns.map((name, index) => [name, values[index]]));
    const value = (...names: string[]) => {
      const found = names
        .map((name) => row.get(name))
        .find((text) => text !== undefined && text !== '-');
      return found === undefined ? undefined : decodeValue(found);
    };
    const day = row.get('date');
    const time = row.get('time');
    return readRawLine({
      time: day === undefined ? row.get('timestamp') : `${day} ${time ?? ''}`,
      userAgent: value('cs(user-agent)'),
      method: row.get('cs-method'),
      target: row.get('cs-uri-stem') ?? row.get('cs-uri'),
      query: row.get('cs-uri-query'),
      host: value('x-host-header', 'cs-host', 'cs(host)'),
      address: row.get('c-ip'),
      forwardedFor: value('x-forwarded-for', 'cs(x-forwarded-for)'),
      status: row.get('sc-status'),
    });
  }
}

/** A day and a time in front: columns that a `#Fields` line has not explained. */
function looksExtended([day = '', time = '']: readonly string[]): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(day) && /^\d\d:\d\d:\d\d/.test(time);
}

function decodeValue(raw: string): string {
  // What holds an encoded space is CloudFront's; in IIS a plus stands for one.
  if (!/%(25)?[0-9a-f]{2}/i.test(raw)) return raw.replaceAll('+', ' ');
  return decodePercent(/%25[0-9a-f]{2}/i.test(raw) ? decodePercent(raw) : raw);
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
