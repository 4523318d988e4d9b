import { rowsInvalid } from './fault.ts';
import { columnName } from './csv-header.ts';

/** How the cells of a file are separated. */
export interface Separator {
  readonly delimiter: string;
  /** Whether the first row declares it, as `sep=;` does. That row is then not the header. */
  readonly isDeclared: boolean;
}

const delimiters = [',', ';', '\t'] as const;

/** The declaration that spreadsheets write and read before the header. */
const declaration = /^"?sep=(?<delimiter>.*?)"?$/i;

/**
 * Finds the separator from the beginning of a CSV text: the declared one, or else the one that
 * gives the header the most known columns, or the most columns. Throws a `Refusal` for a declared
 * one that is unknown.
 */
export function findCsvSeparator(
  head: string,
  { name, fields }: { name: string; fields: readonly string[] | undefined },
): Separator {
  // Skip rows of empty cells before the header.
  const first = /^[^\r\n]*[^\s,;"][^\r\n]*/m.exec(head);
  const header = first?.[0] ?? '';
  const declared = declaration.exec(header)?.groups?.['delimiter'];
  if (declared === undefined)
    return { delimiter: sniffDelimiter(header, fields), isDeclared: false };
  const delimiter = delimiters.find((each) => each === declared);
  if (delimiter !== undefined) return { delimiter, isDeclared: true };
  const line = head.slice(0, first?.index).split(/\r\n|\n|\r/).length;
  const expected = 'sep= with a comma, a semicolon or a tab after it';
  throw rowsInvalid(name, { line, expected, found: header });
}

function sniffDelimiter(header: string, fields: readonly string[] | undefined): string {
  let best: { delimiter: string; knownCount: number; count: number } | undefined;
  for (const delimiter of delimiters) {
    const cells = header.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
    const knownCount = cells.filter((cell) => fields?.includes(columnName(cell, fields))).length;
    const { knownCount: knownMost, count: countMost } = best ?? { knownCount: 0, count: 0 };
    const isBetter =
      knownCount > knownMost || (knownCount === knownMost && cells.length > countMost);
    if (isBetter) best = { delimiter, knownCount, count: cells.length };
  }
  return best?.delimiter ?? ',';
}
