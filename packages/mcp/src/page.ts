import { textTokensMax } from './neutral-text.ts';
import { estimateTokens } from './tokens.ts';
import type { Row } from './tool.ts';

/** Most rows of one page. */
export const rowsMax = 500;

/** What a result may cost at most, its notes included. */
export interface Budget {
  /** Tokens as estimated. */
  readonly tokens: number;
  readonly characters: number;
  readonly lines: number;
}

/**
 * What a result costs unless `limit` asks for more, and what it never exceeds. Hosts cut or hide
 * results of 10,000 tokens, 40,000 characters or 2,000 lines; the estimate may be a fifth too low
 * on noise.
 */
export const budgets = {
  usual: { tokens: 2000, characters: 40_000, lines: 1500 },
  most: { tokens: 8000, characters: 40_000, lines: 1500 },
} as const satisfies Record<string, Budget>;

/** Rows that fit, and why there are not more of them. */
export interface Page {
  readonly rows: readonly Row[];
  /** Index of the first row that did not fit, or undefined after the last. */
  readonly next: number | undefined;
  readonly cutBy: 'limit' | 'budget' | undefined;
  /** How many texts were shortened. */
  readonly shortened: number;
}

/** Cuts a page from the matched rows, at the boundary of a row; at least one, however long. */
export function cutPage(
  rows: readonly Row[],
  { start, limit, budget }: { start: number; limit: number; budget: Budget },
): Page {
  const page: Row[] = [];
  let left = budget;
  let shortened = 0;
  let cutBy: Page['cutBy'];
  for (const row of rows.slice(start, start + limit)) {
    const short = withShortTexts(row);
    const text = JSON.stringify(short.row);
    // The row's comma and line feed.
    left = {
      tokens: left.tokens - estimateTokens(text) - 1,
      characters: left.characters - text.length - 2,
      lines: left.lines - 1,
    };
    const isOver = left.tokens < 0 || left.characters < 0 || left.lines < 0;
    if (isOver && page.length > 0) {
      cutBy = 'budget';
      break;
    }
    page.push(short.row);
    shortened += short.count;
  }
  const end = start + page.length;
  if (cutBy === undefined && end < rows.length) cutBy = 'limit';
  return { rows: page, next: end < rows.length ? end : undefined, cutBy, shortened };
}

/** A row whose texts fit any page; a single path of a scanner can have thousands of characters. */
function withShortTexts(row: Row): { row: Row; count: number } {
  const long = Object.entries(row).filter(
    ([, value]) => typeof value === 'string' && isLong(value),
  );
  if (long.length === 0) return { row, count: 0 };
  const short = long.map(([name, value]): [string, string] => [name, shortText(String(value))]);
  return { row: { ...row, ...Object.fromEntries(short) }, count: long.length };
}

function isLong(text: string): boolean {
  return text.length > textTokensMax / 2 && estimateTokens(text) > textTokensMax;
}

function shortText(text: string): string {
  const characters = [...text];
  let length = characters.length;
  while (length > 1 && estimateTokens(characters.slice(0, length).join('')) > textTokensMax - 20) {
    length = Math.floor(length * 0.8);
  }
  return `${characters.slice(0, length).join('')}... [shortened from ${characters.length} characters]`;
}
