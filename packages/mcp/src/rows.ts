import { z } from 'zod';
import type { Endpoint } from '@overheard/contract';
import { neutralText } from './neutral-text.ts';
import { fieldsOf } from './object-fields.ts';
import type { Row } from './tool.ts';

/** How the answers of one endpoint are read. */
interface Reader {
  readonly answer: z.ZodType<Record<string, unknown>>;
  readonly rows: z.ZodType<Row[]>;
  /** Fields that hold what anybody may have written. */
  readonly foreign: readonly string[];
}

const readers = new Map<Endpoint, Reader>();

/**
 * The rows of an answer, in the contract's fields and order, foreign text neutralised. Undefined
 * if it is not the contract's shape. Fields that the contract does not know are dropped: within a
 * version they may be added, and a client would refuse a result that has more than its schema.
 */
export function readRows(endpoint: Endpoint, body: unknown): readonly Row[] | undefined {
  const reader = readers.get(endpoint) ?? createReader(endpoint);
  readers.set(endpoint, reader);
  const answer = reader.answer.safeParse(body);
  const rows = reader.rows.safeParse(answer.data?.[endpoint.array]);
  if (!rows.success) return undefined;
  return reader.foreign.length === 0 ? rows.data : rows.data.map((row) => neutral(row, reader));
}

function createReader({ row }: Endpoint): Reader {
  const foreign = fieldsOf(row).filter(([, field]) => isFree(field));
  return {
    answer: z.record(z.string(), z.unknown()),
    rows: z.array(z.object(Object.fromEntries(fieldsOf(row)))),
    foreign: foreign.map(([name]) => name),
  };
}

function isFree(field: z.ZodType): boolean {
  const { type, format, pattern, enum: values } = z.toJSONSchema(field);
  return type === 'string' && [format, pattern, values].every((limit) => limit === undefined);
}

function neutral(row: Row, { foreign }: Reader): Row {
  const changed = foreign.map((name): [string, unknown] => {
    const value = row[name];
    return [name, typeof value === 'string' ? neutralText(value) : value];
  });
  return { ...row, ...Object.fromEntries(changed) };
}
