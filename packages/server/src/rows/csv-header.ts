import { CommandError } from '../problems.ts';
import { unknownField } from './check-row.ts';
import { faultLine } from './fault.ts';
import type { Faults } from './fault.ts';

/** One record of cells, and the line at which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * The names of the columns, in their order; an empty one where a column has none, as one has that a
 * separator at the end of the line makes. Throws a `CommandError` that lists the unknown and
 * repeated ones.
 */
export function readHeader(
  { line, cells }: CsvRecord,
  { name, fields, faults }: { name: string; fields: readonly string[] | undefined; faults: Faults },
): string[] {
  const header = cells.map((cell) => columnName(cell, fields));
  const problems = header.flatMap((field, index) => {
    if (field === '') return [];
    if (header.indexOf(field) < index)
      return [{ line, field, expected: 'one column of this name' }];
    const fault = fields === undefined ? undefined : unknownField(field, fields);
    return fault === undefined ? [] : [{ line, ...fault }];
  });
  if (problems.length === 0) return header;
  for (const problem of problems) faults.add(problem);
  const words = problems.map((problem) => faultLine(name, problem));
  const isUndivided = header.length === 1 && /[^\w\s]/.test(header[0] ?? '');
  if (isUndivided) words.push('Columns are separated by commas, semicolons or tabs.');
  throw new CommandError(words.join('\n'));
}

/** A name as it is meant: people write `Date`, and ` date` behind a separator. */
export function columnName(cell: string, fields: readonly string[] | undefined): string {
  const name = cell.trim();
  const folded = name.toLowerCase();
  return fields?.find((field) => field === folded) ?? name;
}
