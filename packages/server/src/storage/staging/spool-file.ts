import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../../refusals.ts';
import { mapSqliteFailure } from '../sqlite/failures.ts';
import { isUnavailable } from '../unavailable.ts';

type Value = SQLInputValue;
type SpoolRecord = Record<string, SQLOutputValue>;

/** A statement of a spool, which takes the values of its `?`. */
export interface SpoolStatement {
  run(...values: Value[]): { readonly changes: number };
  get(...values: Value[]): SpoolRecord | undefined;
  iterate(...values: Value[]): Generator<SpoolRecord>;
}

/**
 * A temporary database for rows that wait until a whole file is checked. If the disk is full, its
 * methods throw a `Refusal`.
 */
export interface SpoolFile {
  /** Runs statements, such as those that create tables or end the writing. */
  execute(statements: string): void;
  prepare(statement: string): SpoolStatement;
  close(): void;
}

/**
 * Opens a spool: a database of SQLite without a name, in the folder for temporary files, in one
 * transaction. The system removes it when the process ends in any way, and nobody else can open it.
 * `bytesMax` limits its size. https://www.sqlite.org/inmemorydb.html#temp_db
 */
export function openSpoolFile({
  cacheKiB,
  bytesMax = 2 ** 43,
}: {
  cacheKiB: number;
  bytesMax?: number;
}): SpoolFile {
  const database = new DatabaseSync('');
  database.exec(`
    pragma page_size = ${pageBytes};
    pragma max_page_count = ${Math.floor(bytesMax / pageBytes)};
    pragma cache_size = -${cacheKiB};
    pragma journal_mode = off;
    pragma synchronous = off;
    begin`);
  return { execute, prepare, close: () => database.close() };

  function execute(statements: string): void {
    mapErrors(() => database.exec(statements));
  }

  function prepare(text: string): SpoolStatement {
    const statement = database.prepare(text);
    return {
      run: (...values) => mapErrors(() => ({ changes: Number(statement.run(...values).changes) })),
      get: (...values) => mapErrors(() => statement.get(...values)),
      iterate: (...values) => mapErrorsOfEach(statement.iterate(...values)),
    };
  }
}

const pageBytes = 4096;

function mapErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explain(error);
  }
}

function* mapErrorsOfEach<Item>(items: Iterable<Item>): Generator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw explain(error);
  }
}

/** Explains an error as one of the spool, because its disk may differ from that of the database. */
function explain(error: unknown): unknown {
  if (!isUnavailable(mapSqliteFailure(error))) return error;
  return new Refusal('temporary_folder_full', {}, { cause: error });
}
