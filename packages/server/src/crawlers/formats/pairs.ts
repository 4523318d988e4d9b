import { collectFields } from './field-names.ts';
import type { LogFormat } from './format.ts';
import { unescapeText } from './quoted.ts';
import { readRawLine } from './raw-line.ts';

/**
 * LTSV: `label:value` with tabs between. Its `host` is the client, its `vhost` the site.
 * http://ltsv.org/
 */
export const ltsv: LogFormat = { name: 'ltsv', parse: parseLtsv };

/** logfmt: `key=value` with spaces between, a value with spaces in quotes. https://brandur.org/logfmt */
export const logfmt: LogFormat = { name: 'logfmt', parse: parseLogfmt };

const label = /^[\w.@-]+:/;

function parseLtsv(line: string): ReturnType<LogFormat['parse']> {
  if (!label.test(line) || !line.includes('\t')) return undefined;
  const pairs = line.split('\t');
  if (!pairs.every((pair) => label.test(pair))) return undefined;
  return readPairs(
    pairs.map((pair) => {
      const colon = pair.indexOf(':');
      const key = pair.slice(0, colon);
      return [key === 'host' ? 'remotehost' : key, pair.slice(colon + 1)];
    }),
  );
}

function parseLogfmt(line: string): ReturnType<LogFormat['parse']> {
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
function readPairs(
  pairs: ReadonlyArray<readonly [string, string]>,
): ReturnType<LogFormat['parse']> {
  const fields = collectFields();
  for (const [key, value] of pairs) fields.add(key, value);
  const { time, request, target } = fields.line;
  const isRequest = time !== undefined && (request !== undefined || target !== undefined);
  return isRequest ? readRawLine(fields.line) : undefined;
}
