import type { LogFormat } from './format.ts';
import { parseObject } from './json-format.ts';

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
 * Lines of other formats in the wrapping of a container's or a syslog daemon's log, Docker's JSON files
 * among them.
 */
export function createPrefixedFormat(formats: readonly LogFormat[]): LogFormat {
  let current = formats[0];
  return { name: 'prefixed', parse };

  function parse(line: string): ReturnType<LogFormat['parse']> {
    const inner = unwrap(line);
    if (inner === undefined) return undefined;
    const mine = current?.parse(inner);
    if (mine !== undefined) return mine;
    for (const format of formats) {
      const read = format.parse(inner);
      if (read === undefined) continue;
      current = format;
      return read;
    }
    return undefined;
  }
}

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
