import { expect, test } from 'vitest';
import { createAsTyped } from './as-typed.ts';

const commands = ['serve', 'key', 'import', 'workspace'];

test('a hint is what the reader can type, and other words stay', () => {
  const words =
    'Usage: overheard [options] [command]\nRun `overheard key create`: KEY=$(overheard key list)\n' +
    'overheard COMMAND --help\noverheard --version';
  expect(createAsTyped('npx overheard', commands)(words)).toBe(
    words.replaceAll(/overheard (?=\[|key|COMMAND|--)/g, 'npx overheard '),
  );
  const others =
    'create database overheard encoding; npx overheard serve; ./overheard.db; overheard keys; Overheard serves; overheard-mcp --check';
  expect(createAsTyped('npx overheard', commands)(others)).toBe(others);
  expect(createAsTyped('overheard', commands)(words)).toBe(words);
});

test.each([
  ['run `overheard key list`', 'run `overheard key list --database file:/srv/a.db`'],
  [
    'overheard import prompts FILE --workspace acme',
    'overheard import prompts --database file:/srv/a.db FILE --workspace acme',
  ],
  ['`overheard import --help` lists the fields', '`overheard import --help` lists the fields'],
  ['overheard workspace create --help', 'overheard workspace create --help'],
  ['overheard --version', 'overheard --version'],
])('the hint %j names the file that --database named', (words, expected) => {
  expect(createAsTyped('overheard', commands)(words, { database: 'file:/srv/a.db' })).toBe(
    expected,
  );
});

test.each([
  ['my data.db', "--database 'my data.db'"],
  ['postgres://user:secret@db/name', '--database "$OVERHEARD_DATABASE"'],
  ['postgres://user@db/name?password=secret', '--database "$OVERHEARD_DATABASE"'],
  ['postgres://user:se/cret@db:x/name', '--database "$OVERHEARD_DATABASE"'],
])('a hint names the database %j as %s, never by a password', (database, expected) => {
  const hint = createAsTyped('npx overheard', commands)('overheard serve', { database });
  expect(hint).toBe(`npx overheard serve ${expected}`);
});
