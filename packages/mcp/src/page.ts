import { shortText } from './short-text.ts';
import { tokensMax } from './tokens.ts';
import type { Row } from './tool.ts';

/** Most rows of one page. */
export const rowsMax = 500;

/** Most tokens of one foreign text, and what it is cut to where a row would not fit alone. */
const textTokens = [400, 200, 100, 50, 25] as const;

/** What a result may cost at most, its notes included. Lines are no matter: a row is one. */
export interface Budget {
  readonly tokens: number;
  readonly characters: number;
}

/**
 * What a result costs unless `limit` asks for more, and what it never exceeds. Hosts cut or hide
 * results of 10,000 tokens, 40,000 characters or 2,000 lines, and some count more tokens than o200k.
 */
export const budgets = {
  usual: { tokens: 2000, characters: 40_000 },
  most: { tokens: 8000, characters: 40_000 },
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

/** Cuts a page from the matched rows, at the boundary of a row; at least one, shortened until it fits. */
export function cutPage(
  rows: readonly Row[],
  { start, limit, budget }: { start: number; limit: number; budget: Budget },
): Page {
  const page: Row[] = [];
  let left = budget;
  let shortened = 0;
  let cutBy: Page['cutBy'];
  for (const row of rows.slice(start, start + limit)) {
    const short = page.length === 0 ? firstRow(row, left) : withShortTexts(row, textTokens[0]);
    left = lessRow(left, short.row);
    if (isOver(left) && page.length > 0) {
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

interface ShortRow {
  readonly row: Row;
  /** How many of its texts were shortened. */
  readonly count: number;
}

function firstRow(row: Row, budget: Budget): ShortRow {
  let short: ShortRow = { row, count: 0 };
  for (const most of textTokens) {
    short = withShortTexts(row, most);
    if (!isOver(lessRow(budget, short.row))) break;
  }
  return short;
}

function lessRow({ tokens, characters }: Budget, row: Row): Budget {
  const line = `${JSON.stringify(row)},\n`;
  return { tokens: tokens - tokensMax(line), characters: characters - line.length };
}

function isOver({ tokens, characters }: Budget): boolean {
  return tokens < 0 || characters < 0;
}

/** A row whose texts cost little enough; a single path of a scanner can have thousands of characters. */
function withShortTexts(row: Row, most: number): ShortRow {
  const changed = Object.entries(row).flatMap(([name, value]): Array<[string, string]> => {
    // No character costs more than its three bytes, or the six that JSON escapes it by.
    if (typeof value !== 'string' || value.length * 6 + 2 <= most) return [];
    const short = shortText(value, most);
    return short === value ? [] : [[name, short]];
  });
  if (changed.length === 0) return { row, count: 0 };
  return { row: { ...row, ...Object.fromEntries(changed) }, count: changed.length };
}
