import { CommandError } from '../../problems.ts';
import { parseDay, parseMoment } from '../../rows/moment.ts';
import { parsePrefix } from '../addresses/prefix.ts';
import { createRangeSet } from '../addresses/range-set.ts';
import type { RangeSet } from '../addresses/range-set.ts';
import { hostOf } from '../formats/host.ts';

const unitMs: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * A bound in time, in milliseconds since 1970: a day, a moment, or `12h`, `7d`, `2w` before now.
 * Throws a `CommandError` (2) for anything else.
 */
export function parseBound(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined)
    return nowMs - Number(amount) * (unitMs[unit] ?? 0);
  const day = parseDay(text);
  const moment = day === undefined ? parseMoment(text) : `${day}T00:00:00.000Z`;
  if (moment !== undefined) return Date.parse(moment);
  throw new CommandError(
    `"${text}" is no time: write 2026-11-20, 2026-11-20T12:00:00Z, or 12h, 7d, 2w for so long ago.`,
    { exitCode: 2 },
  );
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
