import type { ColumnType } from 'kysely';

/** The types of columns. Text compares by code points in both databases. */
export const columnTypes = {
  text: { sqlite: 'text', postgres: 'text collate "C"' },
  integer: { sqlite: 'integer', postgres: 'integer' },
  bigint: { sqlite: 'bigint', postgres: 'bigint' },
  bigints: { sqlite: 'blob', postgres: 'bigint[]' },
  double: { sqlite: 'double precision', postgres: 'double precision' },
  boolean: { sqlite: 'boolean', postgres: 'boolean' },
  bytes: { sqlite: 'blob', postgres: 'bytea' },
} as const;

interface ColumnFacts {
  readonly type: keyof typeof columnTypes;
  readonly isNullable?: boolean;
  /** Whether it is the key by itself. SQLite then adds no `not null`. */
  readonly isKey?: boolean;
  /** SQL. */
  readonly defaultValue?: string;
}

/** A column; `Type` is its type in Kysely. */
export interface Column<Type> extends ColumnFacts {
  nullable(): Column<OrNull<Type>>;
  /** Makes it the primary key; a key of several columns is the table's `key`. */
  primary(): Column<Type>;
  /** Gives it a default in SQL, so that an inserted row may leave it out. */
  default(value: string): Column<OrDefault<Type>>;
  /** Never set: only the compiler reads it. */
  readonly kysely?: Type;
}

type OrNull<Type> =
  Type extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected | null, Inserted | null, Updated | null>
    : Type | null;

type OrDefault<Type> =
  Type extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<Type, Type | undefined, Type>;

function column<Type>(facts: ColumnFacts): Column<Type> {
  return {
    ...facts,
    nullable: () => column({ ...facts, isNullable: true }),
    primary: () => column({ ...facts, isKey: true }),
    default: (defaultValue) => column({ ...facts, defaultValue }),
  };
}

export const text = <Value extends string = string>() => column<Value>({ type: 'text' });
export const integer = () => column<number>({ type: 'integer' });
export const bigint = () => column<number>({ type: 'bigint' });
export const bigints = () => column<readonly number[]>({ type: 'bigints' });
export const double = () => column<number>({ type: 'double' });
export const bytes = () => column<Uint8Array>({ type: 'bytes' });
/** SQLite returns 0 and 1, and both databases accept `true` and `false`. */
export const boolean = () =>
  column<ColumnType<boolean | 0 | 1, boolean, boolean>>({ type: 'boolean' });

export type Columns = Readonly<Record<string, ColumnFacts>>;

/** A column of an index, with its order. */
type IndexColumn<Name extends string> = Name | `${Name} desc` | `${Name} desc nulls last`;

interface Index<Name extends string> {
  readonly columns: ReadonlyArray<IndexColumn<Name>>;
  readonly isUnique?: boolean;
  /** SQL: the condition of a partial index. */
  readonly where?: string;
}

/** What a table has in one of the databases alone. The columns are read by raw SQL, not by Kysely. */
interface DialectFacts {
  readonly columns?: Columns;
  /** Whether the rows are stored in the order of the key, without a separate index. */
  readonly isClustered?: boolean;
  /** Statements that make the table's triggers or functions. */
  readonly statements?: readonly string[];
}

/** A table as it is now: types, DDL and the lists of tables follow from it. */
export interface Table<Of extends Columns = Columns> {
  /** The columns of the primary key, which is called NAME_key. */
  readonly key?: ReadonlyArray<keyof Of & string>;
  /** Unique constraints by their names. */
  readonly unique?: Readonly<Record<string, ReadonlyArray<keyof Of & string>>>;
  /** Indexes by their names. */
  readonly index?: Readonly<Record<string, Index<keyof Of & string>>>;
  /** Whether Citus copies a table with a `workspace_id` to every node instead of distributing it. */
  readonly isReference?: boolean;
  /** The only database that has the table. */
  readonly only?: 'sqlite' | 'postgres';
  readonly sqlite?: DialectFacts;
  readonly postgres?: DialectFacts;
  /** In the order in which they are stored. A column that a migration adds comes last. */
  readonly columns: Of;
}

/** Declares a table. */
export function table<Of extends Columns>(facts: Table<Of>): Table<Of> {
  return facts;
}

/** The columns of each table, as Kysely needs them. */
export type TypesOf<Tables extends Readonly<Record<string, { readonly columns: Columns }>>> = {
  [Name in keyof Tables]: {
    -readonly [Each in keyof Tables[Name]['columns']]: Tables[Name]['columns'][Each] extends Column<
      infer Type
    >
      ? Type
      : never;
  };
};
