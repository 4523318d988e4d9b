import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Endpoint } from '@overheard/contract';
import { Failure } from '../failure.ts';
import { neutralText } from '../text/neutral-text.ts';
import { readBodySlices } from './body.ts';
import { schemaFields } from '../tools/tool-row.ts';
import type { ToolRow } from '../tools/tool-row.ts';

/** How the responses of one endpoint are read. */
interface Reader {
  readonly row: z.ZodType<ToolRow>;
  /** Fields whose text may come from anyone. */
  readonly foreign: readonly string[];
}

const rowsAtOnce = 2000;
const readers = new Map<Endpoint, Reader>();

/**
 * Reads the rows of a body. Throws a failure that names `address` if the body is not of this API,
 * or too long to use.
 */
export async function readBodyRows(
  endpoint: Endpoint,
  body: AsyncIterable<Uint8Array> | null,
  address = '',
): Promise<readonly ToolRow[]> {
  const rows: ToolRow[] = [];
  for await (const slice of readBodySlices(body, endpoint, address)) {
    const parsed = await parseRows(endpoint, slice);
    if (parsed === undefined) throw new Failure('unknown_shape', { address });
    for (const row of parsed) rows.push(row);
  }
  return rows;
}

/**
 * Reads the rows of a response, with the contract's fields in its order, and with foreign text
 * neutralised. Undefined if the response does not have the contract's shape. Drops unknown fields,
 * because a version may add fields, but clients would refuse results with more fields than the
 * schema.
 */
export async function parseRows(
  endpoint: Endpoint,
  body: unknown,
): Promise<readonly ToolRow[] | undefined> {
  const reader = readers.get(endpoint) ?? createReader(endpoint);
  readers.set(endpoint, reader);
  const found = valueIn(body, endpoint.array);
  const array = endpoint.isObject ? [found] : found;
  if (!Array.isArray(array)) return undefined;
  const rows: ToolRow[] = [];
  for (const [index, each] of array.entries()) {
    // Let other calls of the host, and a cancellation, proceed between tens of thousands of rows.
    if (index % rowsAtOnce === rowsAtOnce - 1) await setImmediate();
    // Stop at the first invalid row: the reasons of millions of rows would fill the memory.
    const row = reader.row.safeParse(each);
    if (!row.success) return undefined;
    rows.push(neutral(row.data, reader));
  }
  return rows;
}

function valueIn(body: unknown, name: string): unknown {
  const entries: Array<[string, unknown]> =
    typeof body === 'object' && body !== null ? Object.entries(body) : [];
  return entries.find(([key]) => key === name)?.[1];
}

function createReader({ row }: Endpoint): Reader {
  const foreign = schemaFields(row).filter(([, field]) => isFree(field));
  return {
    row: z.object(Object.fromEntries(schemaFields(row))),
    foreign: foreign.map(([name]) => name),
  };
}

function isFree(field: z.ZodType): boolean {
  if (field instanceof z.ZodNullable) {
    const inner = field.unwrap();
    return inner instanceof z.ZodType && isFree(inner);
  }
  const { type, format, pattern, enum: values } = z.toJSONSchema(field);
  if (type === 'array' || type === 'object') return true;
  return type === 'string' && [format, pattern, values].every((limit) => limit === undefined);
}

function neutral(row: ToolRow, { foreign }: Reader): ToolRow {
  if (foreign.length === 0) return row;
  const changed = foreign.map((name): [string, unknown] => [name, neutralValue(row[name])]);
  return { ...row, ...Object.fromEntries(changed) };
}

/** Neutralises every text in a value, also in lists and objects. */
function neutralValue(value: unknown): unknown {
  if (typeof value === 'string') return neutralText(value);
  if (Array.isArray(value)) return value.map(neutralValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, neutralValue(each)]),
  );
}
