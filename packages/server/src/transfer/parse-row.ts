import type { Fault } from '../rows/fault.ts';
import type { Row } from '../rows/row.ts';
import { toCells } from '../storage/cells.ts';
import type { Cells, Scalar } from '../storage/cells.ts';
import { decimalComma, fieldsOf } from './field.ts';
import type { Field } from './field.ts';
import type { Resource } from './resource.ts';

/** A row's cells, or what is wrong with it. */
export type ParsedRow =
  | { readonly cells: Cells; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] };

/**
 * Makes the function that brings a row of a resource into normal form and checks it against the
 * contract. Missing fields stay missing.
 */
export function rowParser({ row: schema, normalForms, check }: Resource): (row: Row) => ParsedRow {
  const fields = fieldsOf(schema, normalForms);

  return function parseRow(row) {
    const parsed = schema.safeParse(readFields(fields, row));
    if (!parsed.success) {
      const names = new Set(parsed.error.issues.map((issue) => issue.path[0]));
      const wrong = fields.filter(({ name }) => names.has(name));
      return { faults: wrong.map((field) => mismatch(field, row)) };
    }
    const cells = finish(fields, toCells(parsed.data));
    const fault = check?.(cells);
    if (fault === undefined) return { cells };
    if ('cells' in fault) return { cells: fault.cells };
    return { faults: [{ line: row.line, ...fault, found: cells[fault.field] }] };
  };
}

function readFields(fields: readonly Field[], row: Row): Record<string, unknown> {
  const { value, isText } = row;
  const read: Record<string, unknown> = {};
  for (const { name, fromText, normalise } of fields) {
    const cell = value[name];
    if (cell === undefined) continue;
    const typed = isText && typeof cell === 'string' ? fromText(cell, row) : cell;
    read[name] = typeof typed === 'string' && normalise !== undefined ? normalise(typed) : typed;
  }
  return read;
}

function mismatch({ name, expected, isNumber }: Field, { line, value, isText }: Row): Fault {
  if (!(name in value)) return { line, field: name, expected: `${expected}; the field is missing` };
  const cell = value[name];
  const hasComma = isText && isNumber && decimalComma.test(String(cell));
  const advice = hasComma ? ' (write a decimal point, and nothing between thousands)' : '';
  return { line, field: name, expected: expected + advice, found: cell };
}

function finish(fields: readonly Field[], cells: Record<string, Scalar>): Cells {
  for (const { name, round } of fields) {
    const value = cells[name];
    if (round !== undefined && typeof value === 'number') cells[name] = round(value);
  }
  return cells;
}
