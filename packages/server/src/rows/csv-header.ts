import { Refusal } from '../refusals.ts';
import { unknownField } from './check-row.ts';
import { unknownNames } from './fault.ts';
import type { Fault } from './fault.ts';

/** One record of cells, and the line at which it begins. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads the names of the columns in their order. A column without a name has '', for example after
 * a separator at the end of the line. Throws a `Refusal` that lists unknown and repeated names.
 */
export function readHeader(
  { line, cells }: CsvRecord,
  { name, fields }: { name: string; fields: readonly string[] | undefined },
): string[] {
  const header = cells.map((cell) => columnName(cell, fields));
  const problems = header.flatMap((field, index): Fault[] => {
    if (field === '') return [];
    if (header.indexOf(field) < index)
      return [{ line, field, expected: 'one column of this name' }];
    const fault = fields === undefined ? undefined : unknownField(field, fields);
    return fault === undefined ? [] : [{ line, ...fault }];
  });
  if (problems.length === 0) return header;
  const isUndivided = header.length === 1 && /[^\w\s]/.test(header[0] ?? '');
  throw new Refusal('columns_invalid', {
    file: name,
    faults: problems,
    unknown: unknownNames(problems),
    isUndivided,
  });
}

/** The intended name of a column: people write `Date`, or ` date` after a separator. */
export function columnName(cell: string, fields: readonly string[] | undefined): string {
  const name = cell.trim();
  const folded = name.toLowerCase();
  return fields?.find((field) => field === folded) ?? name;
}
