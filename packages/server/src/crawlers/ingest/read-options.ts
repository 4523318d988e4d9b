import { CommandError } from '../../problems.ts';
import { printable } from '../../values/printable.ts';
import { parseWhen, whenForms } from '../../values/when.ts';
import { parsePrefix } from '../addresses/prefix.ts';
import { createRangeSet } from '../addresses/range-set.ts';
import type { RangeSet } from '../addresses/range-set.ts';
import { hostOf } from '../formats/host.ts';

/**
 * A bound in time, in milliseconds since 1970: a day, a moment, or `12h`, `7d`, `2w` before now.
 * Throws a `CommandError` (2) for anything else.
 */
export function parseBound(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const atMs = parseWhen(text, { nowMs, spans: 'ago' });
  if (atMs !== undefined) return atMs;
  throw new CommandError(`"${printable(text)}" is not a time. Write ${whenForms}.`, {
    exitCode: 2,
  });
}

/** The site's name in its one spelling. Throws a `CommandError` (2) for what is none. */
export function parseSite(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const host = hostOf(text);
  if (host !== null) return host;
  throw new CommandError(`"${text}" is no host name such as www.example.com.`, { exitCode: 2 });
}

/** Networks to trust; undefined for none. Throws a `CommandError` (2) for what is no network. */
export function parseNetworks(texts: readonly string[]): RangeSet | undefined {
  const words = texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== '');
  if (words.length === 0) return undefined;
  return createRangeSet(
    words.map((word) => {
      const prefix = parsePrefix(word);
      if (prefix !== undefined) return prefix;
      throw new CommandError(`"${word}" is no network such as 10.0.0.0/8.`, { exitCode: 2 });
    }),
  );
}
