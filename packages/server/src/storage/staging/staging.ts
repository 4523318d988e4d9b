import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { Refusal } from '../../refusals.ts';
import { mapSqliteFailure } from '../sqlite/failures.ts';
import { isUnavailable } from '../unavailable.ts';

/** A row of a file, stored until the transaction. */
export interface StagedRow<Content> {
  /** Two rows with the same key are the same row. */
  readonly key: string;
  /** A second unique value; null if there is none. */
  readonly other: string | null;
  /** Line of the file at which it begins. */
  readonly line: number;
  /** Whether the row has its own id. */
  readonly isNamed: boolean;
  readonly content: Content;
}

/** Rows of one kind, each key once. */
export interface StagedTable<Content> {
  /** Adds a row. If there is one with the same key or `other`, returns that row instead. */
  add(row: StagedRow<Content>): StagedRow<Content> | undefined;
  /** The line of the row with this key, if there is one. */
  lineOf(key: string): number | undefined;
  /** Whether some rows have their own id and others do not. */
  isMixed(): boolean;
  /**
   * Replaces the row with the same key. If another row has the same `other`, returns that row
   * instead.
   */
  replace(row: StagedRow<Content>): StagedRow<Content> | undefined;
  /** Counts one more row that is equal to the one with this key. Returns the count. */
  countAlike(key: string): number;
  /**
   * Yields all rows in batches. Sorts a large number of rows at a time by key, so that the
   * database's indexes are written in order.
   */
  batches(limits: { rowsMax: number; charactersMax: number }): Generator<StagedRow<Content>[]>;
}

/** Number of rows that are sorted at once. */
const sortedRows = 150_000;

/**
 * A staging area outside the database, where the rows of a file wait until all of it has been
 * checked.
 */
export interface Staging {
  /** Makes a table; `parse` restores its contents from JSON. */
  table<Content>(name: string, parse: (content: unknown) => Content): StagedTable<Content>;
  /** Ends the writing and frees memory. */
  seal(): void;
  close(): void;
}

/** Opens a staging area, which disappears when the process ends. */
export function openStaging(): Staging {
  const file = openSpoolFile({ cacheKiB: 12_288 });
  return {
    table: (name, parse) => createTable(file, name, parse),
    seal: () => file.execute('commit; pragma cache_size = -2048; pragma shrink_memory'),
    close: file.close,
  };
}

function createTable<Content>(
  { execute, prepare }: ReturnType<typeof openSpoolFile>,
  name: string,
  parse: (content: unknown) => Content,
): StagedTable<Content> {
  execute(`
    create table ${name} (
      number integer primary key,
      key text not null unique,
      other text,
      line integer not null,
      is_named integer not null,
      content text not null,
      alike integer not null default 0
    );
    create unique index ${name}_by_other on ${name} (other) where other is not null`);
  const insert = prepare(
    `insert into ${name} (key, other, line, is_named, content) values (?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const find = prepare(`select * from ${name} where key = ? or other = ? order by key = ? desc`);
  const findOther = prepare(`select * from ${name} where other = ?`);
  const findLine = prepare(`select line from ${name} where key = ?`);
  // A row that gets an id only now was counted among equal rows without an id.
  const update = prepare(`
    update or ignore ${name}
    set content = ?, other = ?, alike = alike + (is_named < ?), is_named = ? where key = ?`);
  const countUp = prepare(`update ${name} set alike = alike + 1 where key = ? returning alike`);
  const named = prepare(`select count(distinct is_named) as kinds from ${name}`);
  const last = prepare(`select max(number) as number from ${name}`);
  const select = prepare(`select * from ${name} where number > ? and number <= ? order by key`);

  return {
    add: ({ key, other, line, isNamed, content }) => {
      const { changes } = insert.run(key, other, line, isNamed ? 1 : 0, JSON.stringify(content));
      return changes === 1 ? undefined : fromRecord(find.get(key, other, key));
    },
    lineOf: (key) => {
      const record = findLine.get(key);
      return record === undefined ? undefined : Number(record['line']);
    },
    isMixed: () => Number(named.get()?.['kinds']) > 1,
    replace: ({ key, other, isNamed, content }) => {
      const mark = isNamed ? 1 : 0;
      const { changes } = update.run(JSON.stringify(content), other, mark, mark, key);
      return changes === 1 ? undefined : fromRecord(findOther.get(other));
    },
    countAlike: (key) => Number(countUp.get(key)?.['alike']),
    batches,
  };

  function* batches({ rowsMax, charactersMax }: { rowsMax: number; charactersMax: number }) {
    const end = Number(last.get()?.['number'] ?? 0);
    for (let from = 0; from < end; from += sortedRows) {
      let batch: StagedRow<Content>[] = [];
      let characters = 0;
      for (const record of select.iterate(from, from + sortedRows)) {
        characters += String(record['content']).length;
        batch.push(fromRecord(record));
        if (batch.length < rowsMax && characters < charactersMax) continue;
        yield batch;
        [batch, characters] = [[], 0];
      }
      if (batch.length > 0) yield batch;
    }
  }

  function fromRecord(record: Record<string, unknown> | undefined): StagedRow<Content> {
    return {
      key: String(record?.['key']),
      other: typeof record?.['other'] === 'string' ? record['other'] : null,
      line: Number(record?.['line']),
      isNamed: record?.['is_named'] === 1,
      content: parse(JSON.parse(String(record?.['content']))),
    };
  }
}

/**
 * Opens a spool: a database of SQLite without a name, in the folder for temporary files, in one
 * transaction. The system removes it when the process ends in any way, and nobody else can open it.
 * `bytesMax` limits its size. If the disk is full, its methods throw a `Refusal`. https://www.sqlite.org/inmemorydb.html#temp_db
 */
export function openSpoolFile({
  cacheKiB,
  bytesMax = 2 ** 43,
}: {
  cacheKiB: number;
  bytesMax?: number;
}) {
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

  /** Prepares a statement, which takes the values of its `?`. */
  function prepare(text: string) {
    const statement = database.prepare(text);
    return {
      run: (...values: SQLInputValue[]) =>
        mapErrors(() => ({ changes: Number(statement.run(...values).changes) })),
      get: (...values: SQLInputValue[]) => mapErrors(() => statement.get(...values)),
      iterate: (...values: SQLInputValue[]) => mapErrorsOfEach(statement.iterate(...values)),
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
