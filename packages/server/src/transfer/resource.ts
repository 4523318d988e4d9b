import type { RawBuilder, Transaction } from 'kysely';
import type { z } from 'zod';
import type { ImportKind } from '../storage/tables/import-tables.ts';
import type { DataTables } from '../storage/schema.ts';
import type { OrderColumn } from '../values/orders.ts';
import type { Cells, Scalar } from '../storage/cells.ts';

/** A kind of row that is imported and exported. Each is a file of its own, and is listed in `all-resources.ts`. */
export interface Resource {
  /** Its name on the command line. */
  readonly name: Exclude<ImportKind, 'answers'>;
  /** Name of the array in the API's body. */
  readonly array: string;
  /** Every field that a row may have, in the order of an export: the contract's, made optional where they may be left out. */
  readonly row: z.ZodObject;
  /** The rows of an export, if it leaves fields out. */
  readonly exported?: z.ZodObject;
  /** Normal forms that a field's schema does not define, by field. */
  readonly normalForms?: Readonly<Record<string, NormalForm>>;
  /** Holds a row's fields against each other; may return the row with what follows from them. */
  readonly check?: (row: Cells) => RowFault | { readonly cells: Cells } | undefined;
  /** The id of a row that brings none; `place` counts the rows alike in a file, from 1. */
  readonly identify: (row: Cells, place: number) => string;
  /** Whether rows of the same content are different ones, distinguished by their place. */
  readonly isRepeatable?: (row: Cells) => boolean;
  readonly table: TableSpec;
  /** Derives what follows from the rows, after they were written; returns whether anything changed. */
  readonly derive?: (transaction: Transaction<DataTables>, workspaceId: string) => Promise<boolean>;
  /** The rows of another table that a row says as well. */
  readonly parent?: Parent;
  /** Values of a new row for what it does not say; everything else is null. */
  readonly defaults: (row: Cells, now: string) => Cells;
  /** Selects a workspace's rows with every field of `row`. */
  readonly select: (workspaceId: string) => RawBuilder<unknown>;
  /** The API's order; the columns together are unique. */
  readonly order: readonly OrderTerm[];
}

export interface NormalForm {
  /** As the end of "expected ...". */
  readonly expected: string;
  /** Returns empty text for a value without a normal form, because no field may be empty. */
  readonly normalise: (text: string) => string;
}

/** A fault of a row that no field has alone. */
export interface RowFault {
  readonly field: string;
  readonly expected: string;
}

export interface TableSpec {
  readonly name: 'prompts' | 'actions' | 'scores' | 'runs' | 'detections' | 'hits';
  /** Columns that rows have, without `workspace_id`. */
  readonly columns: readonly string[];
  /** Of them, booleans whose fields are of another type. */
  readonly booleans?: readonly string[];
  /** What makes two rows the same one, and the words for it. */
  readonly key: KeySpec;
  /**
   * Columns beside the id whose values no two rows share, if none of them is null; `isIndexed` if
   * the database enforces it.
   */
  readonly unique?: KeySpec & { readonly isIndexed?: boolean };
  readonly guard?: Guard;
  /** Fixed values that every written row gets. */
  readonly fixed?: Cells;
  /** Keeps what else a change of stored rows means. */
  readonly onChanged?: (
    transaction: Transaction<DataTables>,
    changed: ChangedRows,
  ) => Promise<void>;
}

/** Stored rows that an import brings up to date. */
export interface ChangedRows {
  readonly workspaceId: string;
  /** The moment of the import. */
  readonly now: string;
  /** The user; undefined for the command line. */
  readonly importedBy: string | undefined;
  readonly rows: ReadonlyArray<{ readonly before: Cells; readonly cells: Cells }>;
}

/** Stored rows that an import leaves as they are, because they follow from others. */
export interface Guard {
  /** Columns that decide whether a row is meant. */
  readonly columns: readonly string[];
  /** The column of these by which guarded rows are looked up. */
  readonly lookup: string;
  /** Selects these columns of the guarded rows. */
  readonly select: (workspaceId: string, values: readonly Scalar[]) => RawBuilder<unknown>;
  /** The advice if a differing row is refused. Without it the stored row is kept, and counted. */
  readonly expected?: string;
}

export interface KeySpec {
  readonly columns: readonly string[];
  /** The column by which stored rows are looked up: with few rows per value. */
  readonly lookup: string;
  /** As in "a row of the same ...". */
  readonly words: string;
}

export interface Parent {
  readonly table: TableSpec;
  /** What messages call it: "the same ...", and in summaries the plural. */
  readonly word: string;
  readonly of: (row: Cells) => Cells;
}

export interface OrderTerm extends OrderColumn {
  /** What `select` calls the same value for the sake of the order. */
  readonly expression?: string;
}
