import { contradiction } from '../rows/difference.ts';
import { quoteValue } from '../values/quote-value.ts';
import type { Fault, Faults } from '../rows/fault.ts';
import type { Row } from '../rows/row.ts';
import { parseCells, toCells } from '../storage/cells.ts';
import type { Cells, Scalar } from '../storage/cells.ts';
import type { StagedRow, StagedTable, Staging } from '../storage/staging/staging.ts';
import { rowKeyOf } from '../storage/stored-rows.ts';
import type { Parent, Resource, TableSpec } from './resource.ts';
import { decimalComma, fieldsOf } from './field.ts';
import type { Field } from './field.ts';

/** The staged rows of a file, and the parent rows that they imply. */
export type StagedTables = ReturnType<typeof stageTables>;

export function stageTables({ table }: Staging) {
  return { rows: table('rows', parseCells), parents: table('parents', parseCells) };
}

/**
 * Makes the function that checks a row and stages it, each row once. Gives it an id if it has none.
 * Adds its faults to `faults`, including contradictions to an earlier row.
 */
export function rowStager(
  resource: Resource,
  { rows, parents }: StagedTables,
): (row: Row, faults: Faults) => void {
  const parseRow = rowParser(resource);
  const addParent = resource.parent && parentAdder(resource.parent, parents);

  return function stageRow(row, faults) {
    const parsed = parseRow(row);
    const problems = parsed.faults ?? place(parsed.cells, row.line);
    for (const fault of problems) faults.add(fault);
  };

  function place(cells: Cells, line: number): readonly Fault[] {
    const row = toStaged(resource, { cells, line, place: 1 });
    const fault = addRow(row);
    return [fault, addParent?.(cells, line)].filter((one) => one !== undefined);
  }

  function addRow(row: StagedRow<Cells>): Fault | undefined {
    const earlier = rows.add(row);
    if (earlier === undefined) return undefined;
    if (row.isNamed || resource.isRepeatable?.(row.content) !== true) {
      return reconcile(resource, rows, { earlier, row });
    }
    // Add 1 if the first of the equal rows had no id, because it was not counted yet.
    const count = rows.countAlike(row.key) + (earlier.isNamed ? 0 : 1);
    if (count === 1) return reconcile(resource, rows, { earlier, row });
    const { content, line } = row;
    const repeated = toStaged(resource, { cells: withoutId(content), line, place: count });
    const same = rows.add(repeated);
    return same && reconcile(resource, rows, { earlier: same, row: repeated });
  }
}

function toStaged(
  { identify, table }: Resource,
  { cells, line, place }: { cells: Cells; line: number; place: number },
): StagedRow<Cells> {
  const isNamed = cells['id'] !== undefined;
  // A score without an id keeps the stored one, because its key is its day and engine.
  const isKeyedById = table.key.columns.includes('id');
  const content = isNamed || !isKeyedById ? cells : { id: identify(cells, place), ...cells };
  const key = rowKeyOf(content, table.key);
  if (key === undefined) throw new TypeError('A row lacks its key');
  const other = table.unique === undefined ? undefined : rowKeyOf(content, table.unique);
  return { key, other: other ?? null, line, isNamed, content };
}

/** Merges two rows of one key: each may fill the other's gaps, but they must not contradict. */
function reconcile(
  { table }: Resource,
  rows: StagedTable<Cells>,
  { earlier, row }: { earlier: StagedRow<Cells>; row: StagedRow<Cells> },
): Fault | undefined {
  const isSameKey = earlier.key === row.key;
  const words = (isSameKey ? table.key.words : table.unique?.words) ?? '';
  return idFault({ earlier, row, words }) ?? join(rows, { earlier, row, table, words });
}

/**
 * A fault if two rows of the same thing have different ids, or if only one of them has an id and it
 * isn't the id of both.
 */
function idFault({ earlier, row, words }: RowPair): Fault | undefined {
  const { line } = row;
  const [earlierId, id] = [earlier.content['id'], row.content['id']];
  if (earlierId === id || (earlier.key === row.key && !(earlier.isNamed && row.isNamed))) {
    return undefined;
  }
  // Refuse both, because which one stays must not depend on their order.
  const expected = row.isNamed
    ? `one row for the same ${words}: line ${earlier.line} has it ${earlier.isNamed ? `under the id ${quoteValue(earlierId)}` : 'without an id'}`
    : `the id ${quoteValue(earlierId)}, under which line ${earlier.line} has the same ${words}`;
  return { line, field: 'id', expected, found: row.isNamed ? id : undefined };
}

/** Two rows of a file about the same thing, and how they relate. */
interface RowPair {
  readonly earlier: StagedRow<Cells>;
  readonly row: StagedRow<Cells>;
  readonly words: string;
}

/** Fills the gaps of an earlier row. Returns a fault if the later row contradicts it. */
function join(
  rows: StagedTable<Cells>,
  { earlier, row, table, words }: RowPair & { table: TableSpec },
): Fault | undefined {
  const fault = contradiction(earlier, row, `is of the same ${words}`);
  if (fault !== undefined) return fault;
  const content = { ...earlier.content, ...row.content };
  const isNamed = earlier.isNamed || row.isNamed;
  const isMore = Object.keys(content).length > Object.keys(earlier.content).length;
  if (!isMore && isNamed === earlier.isNamed) return undefined;
  const other = (table.unique && rowKeyOf(content, table.unique)) ?? null;
  const rival = rows.replace({ ...earlier, other, isNamed, content });
  if (rival === undefined) return undefined;
  const expected = `one row for the same ${table.unique?.words}: line ${rival.line} has it`;
  return { line: row.line, field: 'id', expected, found: row.content['id'] };
}

function withoutId({ id: _, ...cells }: Cells): Cells {
  return cells;
}

/**
 * Makes the function that stages a row's parent. Rows with the same parent must not contradict each
 * other.
 */
function parentAdder(
  { of, table, word }: Parent,
  parents: StagedTable<Cells>,
): (cells: Cells, line: number) => Fault | undefined {
  let last: Cells = {};

  return function addParent(row, line) {
    const cells = of(row);
    // Rows of one run are usually adjacent and agree about it.
    if (Object.entries(cells).every(([field, value]) => last[field] === value)) return undefined;
    last = cells;
    const key = rowKeyOf(cells, table.key);
    if (key === undefined) throw new TypeError('A row lacks its key');
    const parent = { key, other: null, line, isNamed: true, content: cells };
    const earlier = parents.add(parent);
    return earlier && join(parents, { earlier, row: parent, table, words: word });
  };
}

/** A row's cells, or what is wrong with it. */
type ParsedRow =
  | { readonly cells: Cells; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] };

/**
 * Makes the function that brings a row of a resource into normal form and checks it against the
 * contract. Missing fields stay missing.
 */
function rowParser({ row: schema, normalForms, check }: Resource): (row: Row) => ParsedRow {
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
