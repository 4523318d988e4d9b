import type { ReadRequest } from './read-request.ts';

/** The rows of one body, and the query of the next page if there is one. */
export interface WholeRows {
  readonly rows: readonly unknown[];
  /** `?limit=...&cursor=...` */
  readonly next?: string | undefined;
}

/** A request's query, parsed: its values for the entity tag, and how its rows are read. */
export interface PreparedQuery {
  readonly values: Readonly<Record<string, unknown>>;
  /** The rows; undefined if they are too many for one body. */
  readonly readWhole: (request: ReadRequest) => Promise<WholeRows | undefined>;
  /** The same rows in slices, for any number of rows. `request` must read from a snapshot. */
  readonly slices: (request: ReadRequest) => AsyncGenerator<readonly unknown[]>;
}
