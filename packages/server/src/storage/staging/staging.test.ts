import { expect, test } from 'vitest';
import { openSpoolFile } from './staging.ts';

test('a spool that finds no more room says which folder, and how to name another', () => {
  const spool = openSpoolFile({ cacheKiB: 64, bytesMax: 256 * 1024 });
  try {
    spool.execute('create table rows (text text)');
    const insert = spool.prepare('insert into rows values (?)');
    const fill = (): void => {
      for (let row = 0; row < 1000; row += 1) insert.run('x'.repeat(1000));
    };
    expect(fill).toThrow('temporary_folder_full');
  } finally {
    spool.close();
  }
});

test('a mistake in a statement is not taken for a lack of room', () => {
  const spool = openSpoolFile({ cacheKiB: 64 });
  expect(() => spool.prepare('select from')).toThrow('syntax error');
  spool.close();
});
