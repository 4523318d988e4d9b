import type { z } from 'zod';

/** What a client may rely on about one endpoint. Everything else is derived from it. */
export interface Endpoint<
  Name extends string = string,
  Row extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
> {
  /** Short name: the quota's policy name, the import resource, a metric's label. */
  readonly name: Name;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** Name of the one array in the response, or of its one object. */
  readonly array: string;
  /** Whether the response has one object instead of an array: always one row. */
  readonly isObject: boolean;
  readonly query: Query;
  readonly row: Row;
  /** The row's fields in the contract's order. */
  readonly fields: ReadonlyArray<keyof z.infer<Row> & string>;
  /** How many rows a response has at most. Undefined if it has all rows. */
  readonly rowsMax?: number;
  /** Whether the response changes at midnight UTC although no data does. */
  readonly dependsOnDate: boolean;
  /** Whether a `Link` header leads to the next page. */
  readonly isPaged: boolean;
}

/** Fills in the fields that follow from the others, and keeps the literal types. */
export function defineEndpoint<
  Name extends string,
  Row extends z.ZodObject,
  Query extends z.ZodObject,
>({
  isObject = false,
  dependsOnDate = false,
  isPaged = false,
  ...endpoint
}: Omit<Endpoint<Name, Row, Query>, 'dependsOnDate' | 'fields' | 'isObject' | 'isPaged'> & {
  isObject?: boolean;
  dependsOnDate?: boolean;
  isPaged?: boolean;
}): Endpoint<Name, Row, Query> {
  const fields = endpoint.row.keyof().options;
  return { ...endpoint, fields, isObject, dependsOnDate, isPaged };
}
