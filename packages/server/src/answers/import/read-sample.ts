import { z } from 'zod';
import { Faults } from '../../rows/fault.ts';
import type { Format } from '../../rows/format.ts';
import { readRows } from '../../rows/read-file.ts';
import type { Source } from '../../rows/source.ts';
import { guessColumns } from './mapping.ts';

const rowsMax = 5;
const columnsMax = 40;
const enginesMax = 30;
const textMax = 120;

/** What a person needs in order to say what the columns of a file are. */
export const sampleSchema = z.object({
  /** The columns with their values in the first five rows, as text, cut. */
  columns: z.array(z.object({ name: z.string(), values: z.array(z.string()) })),
  /** How many rows could be read. */
  rows: z.number(),
  /** The values of the column that holds the engine, each once. */
  engines: z.array(z.string()),
});

export type AnswersSample = z.infer<typeof sampleSchema>;

/**
 * Reads the columns of a file and its first rows. `engineColumn` is the column that holds the
 * engine; without it the column is guessed. Throws a `Refusal` if the file cannot be read.
 */
export async function readSample(
  source: Source,
  { format, engineColumn, signal }: SampleOptions,
): Promise<AnswersSample> {
  const columns = new Map<string, string[]>();
  const engines = new Set<string>();
  let rows = 0;
  for await (const batch of readRows(source, {
    faults: new Faults(),
    format,
    array: 'answers',
    signal,
  })) {
    for (const { value } of batch) {
      const cells = flatten(value);
      rows += 1;
      if (rows <= rowsMax) addRow(columns, cells, rows);
      const column = engineColumn ?? guessColumns([...columns.keys()]).engine;
      const engine = column === undefined ? undefined : cells.get(column);
      if (engine !== undefined && engine !== '' && engines.size < enginesMax) engines.add(engine);
    }
  }
  return {
    columns: [...columns].map(([name, values]) => ({ name, values })),
    rows,
    engines: [...engines],
  };
}

interface SampleOptions {
  readonly format?: Format | undefined;
  readonly engineColumn?: string | undefined;
  readonly signal: AbortSignal;
}

function addRow(columns: Map<string, string[]>, cells: Map<string, string>, row: number): void {
  for (const [name, text] of cells) {
    if (!columns.has(name) && columns.size < columnsMax && name !== '') columns.set(name, []);
    const values = columns.get(name);
    // Rows of JSON may lack a field.
    const missing = row - 1 - (values?.length ?? 0);
    values?.push(...Array.from({ length: missing }, () => ''), text);
  }
}

/** The cells of a row as text. A field within an object is named by its path: `response.text`. */
function flatten(value: Readonly<Record<string, unknown>>, path = ''): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [name, inner] of Object.entries(value)) {
    const place = `${path}${name}`;
    const object = z.record(z.string(), z.unknown()).safeParse(inner).data;
    if (object !== undefined) {
      for (const [each, text] of flatten(object, `${place}.`)) cells.set(each, text);
    } else {
      const text = typeof inner === 'string' ? inner : inner === null ? '' : JSON.stringify(inner);
      cells.set(place, text.slice(0, textMax).toWellFormed());
    }
  }
  return cells;
}
