import type { RawBuilder, Transaction } from 'kysely';
import type { z } from 'zod';
import type { ImportKind } from '../storage/tables/import-tables.ts';
import type { ChangedDays } from '../storage/note-changes.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import type { OrderColumn } from '../values/orders.ts';
import type { Cells, Scalar } from '../storage/cells.ts';

/**
 * A kind of row that can be imported and exported. Each has its own file, and is listed in
 * `all-resources.ts`.
 */
export interface Resource {
  /** The workspace's name on the command line. */
  readonly name: Exclude<ImportKind, 'answers'>;
  /** Name of the array in the API's body. */
  readonly array: string;
  /**
   * Every field that a row may have, in the order of an export: the contract's fields, of which
   * some are optional.
   */
  readonly row: z.ZodObject;
  /** The schema of exported rows, if an export leaves fields out. */
  readonly exported?: z.ZodObject;
  /** Normal forms that a field's schema does not define, by field. */
  readonly normalForms?: Readonly<Record<string, NormalForm>>;
  /**
   * Checks a row's fields against each other. May return the row with fields that follow from the
   * others.
   */
  readonly check?: (row: Cells) => RowFault | { readonly cells: Cells } | undefined;
  /** Makes the id of a row that has none. `place` counts the equal rows of a file, from 1. */
  readonly identify: (row: Cells, place: number) => string;
  /** Whether rows with the same content are different rows, distinguished by their place. */
  readonly isRepeatable?: (row: Cells) => boolean;
  readonly table: TableSpec;
  /** Derives data from the rows after they were written. Returns whether anything changed. */
  readonly derive?: (
    store: Store,
    transaction: Transaction<DataTables>,
    workspaceId: string,
  ) => Promise<boolean>;
  /** The parent table, whose rows these rows imply. */
  readonly parent?: Parent;
  /** Default values for missing columns of a new row. All others are null. */
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

/** A fault of a row that concerns several fields. */
export interface RowFault {
  readonly field: string;
  readonly expected: string;
}

export interface TableSpec {
  readonly name: 'prompts' | 'actions' | 'scores' | 'runs' | 'detections' | 'hits';
  /** Columns that rows have, without `workspace_id`. */
  readonly columns: readonly string[];
  /** Two rows with equal key columns are the same row. Includes the words for it. */
  readonly key: KeySpec;
  /**
   * Columns besides the id that are unique together if none of them is null. `isIndexed` if the
   * database enforces it.
   */
  readonly unique?: KeySpec & { readonly isIndexed?: boolean };
  readonly guard?: Guard;
  /** Fixed values that every written row gets. */
  readonly fixed?: Cells;
  /** The days of new and changed rows that clients follow; of changed ones also as they were. */
  readonly daysOf?: (
    transaction: Transaction<DataTables>,
    written: { readonly workspaceId: string; readonly rows: readonly Cells[] },
  ) => Promise<ChangedDays>;
  /**
   * Stores what rows say besides their columns. Gets the rows of a batch, each with its id, and
   * returns the ids of those that changed something.
   */
  readonly besides?: (
    transaction: Transaction<DataTables>,
    batch: { readonly workspaceId: string; readonly rows: readonly Cells[] },
  ) => Promise<ReadonlySet<string>>;
  /** Stores further effects of changed rows. */
  readonly onChanged?: (
    transaction: Transaction<DataTables>,
    changed: ChangedRows,
  ) => Promise<void>;
}

/** Stored rows that an import updates. */
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
  /** Columns that decide whether a row is protected. */
  readonly columns: readonly string[];
  /** The one of these columns by which guarded rows are looked up. */
  readonly lookup: string;
  /** Selects these columns of the guarded rows. */
  readonly select: (workspaceId: string, values: readonly Scalar[]) => RawBuilder<unknown>;
  /** The advice if a differing row is refused. Without it the stored row is kept, and counted. */
  readonly expected?: string;
}

export interface KeySpec {
  readonly columns: readonly string[];
  /** The column by which stored rows are looked up. It should have few rows per value. */
  readonly lookup: string;
  /** As in "a row of the same ...". */
  readonly words: string;
}

export interface Parent {
  readonly table: TableSpec;
  /** The word for it in messages: "the same ...". Summaries use its plural. */
  readonly word: string;
  readonly of: (row: Cells) => Cells;
}

export interface OrderTerm extends OrderColumn {
  /** The name of the same value in `select`, for the order. */
  readonly expression?: string;
}
