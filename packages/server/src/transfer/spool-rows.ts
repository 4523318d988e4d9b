import { shown } from '../rows/fault.ts';
import type { Fault, Faults } from '../rows/fault.ts';
import type { Row } from '../rows/row.ts';
import type { Cells } from './cells.ts';
import { rowParser } from './parse-row.ts';
import type { Parent, Resource, TableSpec } from './resource.ts';
import type { Spool, SpooledRow, SpoolTable } from './spool.ts';
import { keyOf } from './table-key.ts';

/**
 * Makes the function that checks a row and puts it into the spool, where each row is once: gives it
 * the id that it lacks, and tells `faults` of what is wrong with it or contradicts an earlier row.
 */
export function rowSpooler(
  resource: Resource,
  { spool, faults }: { spool: Spool; faults: Faults },
): (row: Row) => void {
  const parseRow = rowParser(resource);
  const rows = spool.table('rows');
  const addParent = resource.parent === undefined ? undefined : parentAdder(resource.parent, spool);

  return function spoolRow(row) {
    const parsed = parseRow(row);
    const problems = parsed.faults ?? place(parsed.cells, row.line);
    for (const fault of problems) faults.add(fault);
  };

  function place(cells: Cells, line: number): readonly Fault[] {
    const row = toSpooled(resource, { cells, line, place: 1 });
    const fault = addRow(row);
    return [fault, addParent?.(cells, line)].filter((one) => one !== undefined);
  }

  function addRow(row: SpooledRow): Fault | undefined {
    const earlier = rows.add(row);
    if (earlier === undefined) return undefined;
    if (row.isNamed || resource.isRepeatable?.(row.cells) !== true) {
      return reconcile(resource, rows, { earlier, row });
    }
    // The first of rows alike may have come with its id: then it has not been counted yet.
    const count = rows.countAlike(row.key) + (earlier.isNamed ? 0 : 1);
    if (count === 1) return reconcile(resource, rows, { earlier, row });
    const { cells, line } = row;
    const repeated = toSpooled(resource, { cells: withoutId(cells), line, place: count });
    const same = rows.add(repeated);
    return same && reconcile(resource, rows, { earlier: same, row: repeated });
  }
}

function toSpooled(
  { identify, table }: Resource,
  { cells, line, place }: { cells: Cells; line: number; place: number },
): SpooledRow {
  const isNamed = cells['id'] !== undefined;
  // A score keeps the id that is stored, if it brings none: it is known by its day and engine.
  const isKeyedById = table.key.columns.includes('id');
  const identified = isNamed || !isKeyedById ? cells : { id: identify(cells, place), ...cells };
  const key = keyOf(identified, table.key);
  if (key === undefined) throw new TypeError('A row lacks its key');
  const other = table.unique === undefined ? undefined : keyOf(identified, table.unique);
  return { key, other: other ?? null, line, isNamed, cells: identified };
}

/** Holds a row against the earlier one that is the same: they may say more together, but nothing else. */
function reconcile(
  { table }: Resource,
  rows: SpoolTable,
  { earlier, row }: { earlier: SpooledRow; row: SpooledRow },
): Fault | undefined {
  const isSameKey = earlier.key === row.key;
  const words = (isSameKey ? table.key.words : table.unique?.words) ?? '';
  return idFault({ earlier, row, words }) ?? join(rows, { earlier, row, table, words });
}

/** A fault where two rows of the same thing bring two ids, or only one of them an id that is not both's. */
function idFault({ earlier, row, words }: Two): Fault | undefined {
  const { line } = row;
  const [said, found] = [earlier.cells['id'], row.cells['id']];
  if (said === found || (earlier.key === row.key && !(earlier.isNamed && row.isNamed))) {
    return undefined;
  }
  // Which of the two would stay must not hang on their order.
  const expected = row.isNamed
    ? `one row for the same ${words}: line ${earlier.line} has it ${earlier.isNamed ? `under the id ${shown(said)}` : 'without an id'}`
    : `the id ${shown(said)}, under which line ${earlier.line} has the same ${words}`;
  return { line, field: 'id', expected, found: row.isNamed ? found : undefined };
}

/** Two rows of a file that are of the same thing, and in which way they are. */
interface Two {
  readonly earlier: SpooledRow;
  readonly row: SpooledRow;
  readonly words: string;
}

/** Adds to an earlier row what it left out; a fault where the later one says something else. */
function join(
  rows: SpoolTable,
  { earlier, row, table, words }: Two & { table: TableSpec },
): Fault | undefined {
  const { line } = row;
  for (const [field, found] of Object.entries(row.cells)) {
    const said = earlier.cells[field];
    if (said === undefined || said === found) continue;
    const expected = `${shown(said)} as in line ${earlier.line}, which is of the same ${words}`;
    return { line, field, expected, found };
  }
  const cells = { ...earlier.cells, ...row.cells };
  const isNamed = earlier.isNamed || row.isNamed;
  const isMore = Object.keys(cells).length > Object.keys(earlier.cells).length;
  if (!isMore && isNamed === earlier.isNamed) return undefined;
  const other = (table.unique && keyOf(cells, table.unique)) ?? null;
  const rival = rows.replace({ ...earlier, other, isNamed, cells });
  if (rival === undefined) return undefined;
  const expected = `one row for the same ${table.unique?.words}: line ${rival.line} has it`;
  return { line, field: 'id', expected, found: row.cells['id'] };
}

function withoutId({ id: _, ...cells }: Cells): Cells {
  return cells;
}

/** Puts the row of the other table beside: rows that name it must agree on what they say. */
function parentAdder(
  { of, table, word }: Parent,
  spool: Spool,
): (cells: Cells, line: number) => Fault | undefined {
  const parents = spool.table('parents');

  let last: Cells = {};

  return function addParent(row, line) {
    const cells = of(row);
    // Rows of one run mostly stand together and say the same of it.
    if (Object.entries(cells).every(([field, value]) => last[field] === value)) return undefined;
    last = cells;
    const key = keyOf(cells, table.key);
    if (key === undefined) throw new TypeError('A row lacks its key');
    const parent = { key, other: null, line, isNamed: true, cells };
    const earlier = parents.add(parent);
    return earlier && join(parents, { earlier, row: parent, table, words: word });
  };
}
