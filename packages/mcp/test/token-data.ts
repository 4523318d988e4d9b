import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { z } from 'zod';
import { endpoints } from '@overheard/contract';
import { piecesOf } from '../src/tokens.ts';
import { countTokens } from './count-tokens.ts';

/** How many ranks are kept: each thousand makes the bundle 3 kB larger, zipped. */
const ranksMax = 4500;
/** The first ranks are the bytes themselves. */
const bytes = 256;

/** What `src/token-data.json` holds: the tokenizer's first merges, and what the pieces of our rows cost. */
export function tokenData(): { merges: string; pieces: Record<string, number> } {
  const tokens = ranks.slice(bytes, ranksMax).map(bytesOf);
  const merges = tokens.filter((token) => !/[\n\r\t]/.test(token));
  const pieces = new Set(rowTexts().flatMap(piecesOf));
  const costs = [...pieces]
    .filter((piece) => piece.length > 1 && !merges.includes(piece))
    .map((piece): [string, number] => [piece, countTokens(piece)]);
  return {
    merges: merges.join('\n'),
    pieces: Object.fromEntries(costs.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function bytesOf(token: string | readonly number[]): string {
  const whole = typeof token === 'string' ? Buffer.from(token) : Buffer.from(token);
  return whole.toString('latin1');
}

/** Fields with their enums and examples, as they stand in rows; numbers are cheap without being listed. */
function rowTexts(): readonly string[] {
  return endpoints.flatMap(({ array, row }) =>
    Object.entries(row.shape).flatMap(([name, field]) =>
      ['', ...valuesIn(z.toJSONSchema(field))].map(
        (value) => `{"${array}":[\n{"${name}":${value},"${name}":"${value}"},\n"${name}":null}`,
      ),
    ),
  );
}

function valuesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) =>
    (name === 'enum' || name === 'examples') && Array.isArray(value)
      ? value.map(String).filter((text) => /^[A-Za-z_]+$/.test(text))
      : valuesIn(value),
  );
}
