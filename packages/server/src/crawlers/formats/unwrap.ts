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
 * The line inside a line of a container's or a syslog daemon's log, Docker's JSON files among them.
 * Undefined for other lines.
 */
export function unwrap(line: string): string | undefined {
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
