import { isRequest, nameFields } from './field-names.ts';
import type { NamedValue } from './field-names.ts';
import type { LogFormat } from './format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/**
 * LTSV: `label:value` with tabs between. Its `host` is the client, its `vhost` the site.
 * http://ltsv.org/
 */
export function parseLtsv(line: string): ReturnType<LogFormat> {
  const pairs = line.split('\t').map((pair) => pair.split(/^([\w.@-]+):/).slice(1));
  if (pairs.length === 1 || pairs.some(({ length }) => length === 0)) return undefined;
  return readPairs(
    pairs.map(([label = '', value]) => [label === 'host' ? 'remotehost' : label, value]),
  );
}

/** logfmt: `key=value` with spaces between, a value with spaces in quotes. https://brandur.org/logfmt */
export function parseLogfmt(line: string): ReturnType<LogFormat> {
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
