import { hash } from 'node:crypto';
import { uuidPattern } from '@overheard/contract';
import { z } from 'zod';
import { Problem } from '../../problems.ts';

/** The row after which a page begins: its moment, which is a prompt's creation, and its id. */
export interface Place {
  readonly runAt: string;
  readonly id: string;
}

const cursorParts = z.tuple([
  z.iso.datetime({ precision: 3 }),
  z.string().regex(uuidPattern),
  z.string(),
]);

/** Writes an opaque cursor, which is valid only for the same query. */
export function writeCursor({ runAt, id }: Place, query: string): string {
  return Buffer.from(JSON.stringify([runAt, id, fingerprint(query)])).toString('base64url');
}

/** Parses a cursor. Throws `invalid_parameter` for one of another query. */
export function readCursor(cursor: string, query: string): Place {
  const [runAt, id, mark] = parts(cursor) ?? [];
  if (runAt === undefined || id === undefined || mark !== fingerprint(query)) {
    throw refuseCursor('cursor');
  }
  return { runAt, id };
}

/** The problem of a parameter that is not a cursor of its query. */
export function refuseCursor(parameter: string): Problem {
  const message = 'It is not a cursor of this query. Use the `Link` header unchanged.';
  return new Problem('invalid_parameter', 'The cursor is not valid.', {
    errors: [{ parameter, message }],
  });
}

function parts(cursor: string): z.infer<typeof cursorParts> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return cursorParts.safeParse(value).data;
  } catch {
    return undefined;
  }
}

function fingerprint(query: string): string {
  return hash('sha256', query).slice(0, 16);
}
