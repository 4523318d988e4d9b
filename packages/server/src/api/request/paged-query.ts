import type { EndpointName } from '@overheard/contract';
import { readCursor, writeCursor } from './cursor.ts';
import type { Place } from './cursor.ts';
import type { PreparedQuery } from './prepared-query.ts';
import type { ReadRequest } from './read-request.ts';

/** A page of rows, and the place of its last row if there are more. */
export interface RowsPage {
  readonly rows: readonly unknown[];
  readonly next: Place | undefined;
}

interface PagedQuery {
  /** The endpoint, so that its cursors do not open another one with the same parameters. */
  readonly endpoint: EndpointName;
  /** All parameters of the request, for the entity tag. */
  readonly values: PreparedQuery['values'];
  /** What the cursor is valid for, as the next page repeats it. */
  readonly pinned: Readonly<Record<string, string | undefined>>;
  /** What the next page repeats, although it may change between pages. */
  readonly repeated?: Readonly<Record<string, string | undefined>>;
  readonly cursor: string | undefined;
  readonly read: (request: ReadRequest, after: Place | undefined) => Promise<RowsPage>;
}

/**
 * Prepares a page that leads to the next one by a keyset cursor, which writes in between do not end.
 * Throws `invalid_parameter` for a cursor of another query.
 */
export function preparePaged({
  endpoint,
  values,
  pinned,
  repeated = {},
  cursor,
  read,
}: PagedQuery): PreparedQuery {
  const fingerprinted = `${endpoint} ${toParameters(pinned).toString()}`;
  const after = cursor === undefined ? undefined : readCursor(cursor, fingerprinted);
  return {
    values,
    readWhole: async (request) => {
      const { rows, next } = await read(request, after);
      if (next === undefined) return { rows };
      const further = toParameters({ ...pinned, ...repeated });
      further.set('cursor', writeCursor(next, fingerprinted));
      return { rows, next: `?${further.toString()}` };
    },
  };
}

function toParameters(values: PagedQuery['pinned']): URLSearchParams {
  const parameters = new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  parameters.sort();
  return parameters;
}
