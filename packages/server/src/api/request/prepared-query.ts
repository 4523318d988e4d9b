import type { DataTables } from '../../storage/schema.ts';
import { readOrdered, sliceOrdered } from './ordered-rows.ts';
import type { OrderedRows } from './ordered-rows.ts';
import type { ReadRequest } from './read-request.ts';

/** The rows of one body, and the query of the next page if there is one. */
export interface WholeRows {
  readonly rows: readonly unknown[];
  /** `?limit=...&cursor=...` */
  readonly next?: string | undefined;
  /** The whole body, if it is stored as it is. */
  readonly body?: string | undefined;
}

/** A request's query, parsed: its values for the entity tag, and how its rows are read. */
export interface PreparedQuery {
  readonly values: Readonly<Record<string, unknown>>;
  /** The rows; undefined if they are too many for one body. */
  readonly readWhole: (request: ReadRequest) => Promise<WholeRows | undefined>;
  /** The same rows in slices, if they may be too many for one body. `request` must read from a snapshot. */
  readonly slices?: (request: ReadRequest) => AsyncGenerator<readonly unknown[]>;
}

/** Prepares rows that always fit one body. */
export function prepareCapped(
  values: PreparedQuery['values'],
  read: (request: ReadRequest) => Promise<readonly unknown[]>,
): PreparedQuery {
  return {
    values,
    readWhole: async (request) => ({ rows: await read(request) }),
  };
}

/** Prepares ordered rows, which are sliced if they are too many for one body. */
export function prepareOrdered<
  Table extends keyof DataTables,
  Row extends object,
  Query extends PreparedQuery['values'],
>(rows: OrderedRows<Table, Row, Query>, query: Query): PreparedQuery {
  return {
    values: query,
    readWhole: async (request) => toWholeRows(await readOrdered(rows, request, query)),
    slices: (request) => sliceOrdered(rows, request, query),
  };
}

/** The rows as one body; undefined if they are too many for one. */
export function toWholeRows(rows: readonly unknown[] | undefined): WholeRows | undefined {
  return rows && { rows };
}
