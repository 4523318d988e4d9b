import { shortText } from '../text/short-text.ts';
import type { ToolRow } from '../tools/tool-row.ts';

/** The most rows of a page. */
export const rowsMax = 500;

/** Most bytes of one foreign text, and the shorter limits to try if a single row does not fit. */
const textBytes = [1000, 500, 250, 125, 60] as const;

/**
 * Most bytes of a result in UTF-8, including its notes: `usual` if the call has no larger `limit`,
 * and `most` in any case. Rows have two to four bytes per token. Hosts cut or hide results of
 * 10,000 tokens, 40,000 characters or 2,000 lines, and one cuts out the middle of more than 11,500
 * characters; a token is never less than a byte.
 */
export const budgets = { usual: 3200, most: 11_000 } as const;

/** The rows that fit, and the reason why there are not more. */
export interface Page {
  readonly rows: readonly ToolRow[];
  /** Index of the first row that did not fit, or undefined after the last. */
  readonly next: number | undefined;
  readonly cutBy: 'limit' | 'budget' | undefined;
  /** How many texts were shortened. */
  readonly shortened: number;
}

/**
 * Cuts a page from the matched rows at the boundary of a row. Takes at least one row, shortened
 * until it fits.
 */
export function cutPage(
  rows: readonly ToolRow[],
  {
    start,
    limit,
    budget,
    shape = (row) => row,
    isKeyed,
  }: {
    start: number;
    limit: number;
    budget: number;
    shape?: (row: ToolRow) => ToolRow;
    /** Whether each row is written with the names of its fields. */
    isKeyed: boolean;
  },
): Page {
  const page: ToolRow[] = [];
  let left = budget;
  let shortened = 0;
  let cutBy: Page['cutBy'];
  for (const fullRow of rows.slice(start, start + limit)) {
    const row = shape(fullRow);
    const short =
      page.length === 0 ? firstRow(row, left, isKeyed) : withShortTexts(row, textBytes[0]);
    left -= lineBytes(short.row, isKeyed);
    if (left < 0 && page.length > 0) {
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
  readonly row: ToolRow;
  /** How many of its texts were shortened. */
  readonly count: number;
}

function firstRow(row: ToolRow, budget: number, isKeyed: boolean): ShortRow {
  let short: ShortRow = { row, count: 0 };
  for (const most of textBytes) {
    short = withShortTexts(row, most);
    if (lineBytes(short.row, isKeyed) <= budget) break;
  }
  return short;
}

function lineBytes(row: ToolRow, isKeyed: boolean): number {
  return Buffer.byteLength(`${JSON.stringify(isKeyed ? row : Object.values(row))},\n`);
}

/** Shortens the texts of a row. A single path from a scanner can have thousands of characters. */
function withShortTexts(row: ToolRow, most: number): ShortRow {
  const changed = Object.entries(row).flatMap(([name, value]): Array<[string, string]> => {
    // A UTF-16 unit takes at most three bytes, or six as a JSON escape.
    if (typeof value !== 'string' || value.length * 6 + 2 <= most) return [];
    const short = shortText(value, most);
    return short === value ? [] : [[name, short]];
  });
  if (changed.length === 0) return { row, count: 0 };
  return { row: { ...row, ...Object.fromEntries(changed) }, count: changed.length };
}
