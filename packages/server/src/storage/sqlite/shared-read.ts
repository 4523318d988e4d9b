import type { DatabaseSync } from 'node:sqlite';

/** Makes a function that reads one thing for each of many that ask, all in one transaction. */
export function sharedRead(
  database: DatabaseSync,
): <Asked, Found>(asked: readonly Asked[], readOne: (asked: Asked) => Found) => Found[] {
  const begin = database.prepare('begin');
  const commit = database.prepare('commit');

  return function read(asked, readOne) {
    // One statement is a transaction by itself.
    if (asked.length <= 1) return asked.map(readOne);
    begin.run();
    try {
      return asked.map(readOne);
    } finally {
      // An error of the disk has ended it already: to do so again would fail, and hide why.
      if (database.isTransaction) commit.run();
    }
  };
}
