import { openSpoolFile } from '../storage/staging/spool-file.ts';
import type { SpoolFile } from '../storage/staging/spool-file.ts';
import { isCells } from './cells.ts';
import type { Cells } from './cells.ts';

/** A row that waits for the transaction. */
export interface SpooledRow {
  /** What makes it the same row as another. */
  readonly key: string;
  /** What else no other row may have; null where that does not apply. */
  readonly other: string | null;
  /** Line of the file at which it begins. */
  readonly line: number;
  /** Whether it brought its id. */
  readonly isNamed: boolean;
  readonly cells: Cells;
}

/** Rows of one table, each key once. */
export interface SpoolTable {
  /** Adds a row, unless there is one with its key or its `other`: that one is returned instead. */
  add(row: SpooledRow): SpooledRow | undefined;
  /** Whether there is a row with this key. */
  has(key: string): boolean;
  /** Whether some rows brought their id and others did not. */
  isMixed(): boolean;
  /** Replaces the row with its key, unless another has its `other`: that one is returned instead. */
  replace(row: SpooledRow): SpooledRow | undefined;
  /** Counts one more row that is alike the one with this key; returns how many have been counted. */
  countAlike(key: string): number;
  /**
   * All rows in batches: in the order in which they came, but a large number of them at a time in the
   * order of their keys. Each of the indexes that they go into is then walked and not jumped about in.
   */
  batches(rowsMax: number): Generator<SpooledRow[]>;
}

/** Rows may be megabytes long: then fewer of them are held. */
const batchCharactersMax = 4 * 1024 * 1024;

/** Rows that are sorted at once. */
const sortedRows = 150_000;

/** A place outside of the database where a file waits until all of it has been checked. */
export interface Spool {
  table(name: 'rows' | 'parents'): SpoolTable;
  /** Ends the writing: from here on less memory is needed. */
  seal(): void;
  close(): void;
}

/** Opens a spool; it is gone with the process. */
export function openSpool({ cacheKiB = 12_288 }: { cacheKiB?: number } = {}): Spool {
  const file = openSpoolFile({ cacheKiB });
  return { table, seal, close: file.close };

  function table(name: 'rows' | 'parents'): SpoolTable {
    return createTable(file, name);
  }

  function seal(): void {
    file.execute('commit; pragma cache_size = -2048; pragma shrink_memory');
  }
}

function createTable(file: SpoolFile, name: 'rows' | 'parents'): SpoolTable {
  file.execute(`
    create table if not exists ${name} (
      number integer primary key,
      key text not null unique,
      other text,
      line integer not null,
      is_named integer not null,
      cells text not null,
      alike integer not null default 0
    );
    create unique index if not exists ${name}_by_other on ${name} (other) where other is not null`);
  const { prepare } = file;
  const insert = prepare(
    `insert into ${name} (key, other, line, is_named, cells) values (?, ?, ?, ?, ?) on conflict do nothing`,
  );
  const find = prepare(`select * from ${name} where key = ? or other = ? order by key = ? desc`);
  const findOther = prepare(`select * from ${name} where other = ?`);
  // A row that gets an id only now has been one of those alike without it.
  const update = prepare(`
    update or ignore ${name}
    set cells = ?, other = ?, alike = alike + (is_named < ?), is_named = ? where key = ?`);
  const countUp = prepare(`update ${name} set alike = alike + 1 where key = ? returning alike`);
  const named = prepare(`select count(distinct is_named) as kinds from ${name}`);
  const last = prepare(`select max(number) as number from ${name}`);
  const select = prepare(`select * from ${name} where number > ? and number <= ? order by key`);

  return { add, has, isMixed, replace, countAlike, batches };

  function add({ key, other, line, isNamed, cells }: SpooledRow): SpooledRow | undefined {
    const { changes } = insert.run(key, other, line, isNamed ? 1 : 0, JSON.stringify(cells));
    return changes === 1 ? undefined : fromRecord(find.get(key, other, key));
  }

  function has(key: string): boolean {
    return find.get(key, null, key) !== undefined;
  }

  function isMixed(): boolean {
    return Number(named.get()?.['kinds']) > 1;
  }

  function replace({ key, other, isNamed, cells }: SpooledRow): SpooledRow | undefined {
    const mark = isNamed ? 1 : 0;
    const { changes } = update.run(JSON.stringify(cells), other, mark, mark, key);
    return changes === 1 ? undefined : fromRecord(findOther.get(other));
  }

  function countAlike(key: string): number {
    return Number(countUp.get(key)?.['alike']);
  }

  function* batches(rowsMax: number): Generator<SpooledRow[]> {
    const end = Number(last.get()?.['number'] ?? 0);
    for (let from = 0; from < end; from += sortedRows) {
      let batch: SpooledRow[] = [];
      let characters = 0;
      for (const record of select.iterate(from, from + sortedRows)) {
        characters += String(record['cells']).length;
        batch.push(fromRecord(record));
        if (batch.length < rowsMax && characters < batchCharactersMax) continue;
        yield batch;
        [batch, characters] = [[], 0];
      }
      if (batch.length > 0) yield batch;
    }
  }
}

function fromRecord(record: Record<string, unknown> | undefined): SpooledRow {
  const cells: unknown = JSON.parse(String(record?.['cells']));
  if (!isCells(cells)) throw new TypeError('The spool holds no row');
  return {
    key: String(record?.['key']),
    other: typeof record?.['other'] === 'string' ? record['other'] : null,
    line: Number(record?.['line']),
    isNamed: record?.['is_named'] === 1,
    cells,
  };
}
