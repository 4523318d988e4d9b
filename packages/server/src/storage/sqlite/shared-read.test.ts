import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sharedRead } from './admission.ts';

function withRows(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec('create table numbers (value integer); insert into numbers values (1), (2)');
  return database;
}

test('shared reads run in one transaction, which has ended when they resolve', () => {
  using database = withRows();
  const read = sharedRead(database);
  const select = database.prepare('select value from numbers where value = ?');
  const found = read([2, 1], (value) => [database.isTransaction, select.get(value)?.['value']]);
  expect(found).toEqual([
    [true, 2],
    [true, 1],
  ]);
  expect(database.isTransaction).toBe(false);
});

test('a failure of a shared read ends the transaction, and is the one that is reported', () => {
  using database = withRows();
  const read = sharedRead(database);
  const fail = (): never => {
    throw new Error('unreadable');
  };
  expect(() => read([1, 2], fail)).toThrow('unreadable');
  expect(database.isTransaction).toBe(false);

  // As SQLite does by itself after some errors of the disk.
  const failAndEnd = (): never => {
    database.exec('rollback');
    return fail();
  };
  expect(() => read([1, 2], failAndEnd)).toThrow('unreadable');
});
