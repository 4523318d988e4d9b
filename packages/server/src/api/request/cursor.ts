import { hash } from 'node:crypto';
import { uuidPattern } from '@overheard/contract';
import { z } from 'zod';
import { Problem } from '../../problems.ts';

/** The run, or the prompt with the moment of its creation, after which a page begins. */
interface Place {
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
    const message = 'It is not a cursor of this query. Use the `Link` header unchanged.';
    throw new Problem('invalid_parameter', 'The cursor is not valid.', {
      errors: [{ parameter: 'cursor', message }],
    });
  }
  return { runAt, id };
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
