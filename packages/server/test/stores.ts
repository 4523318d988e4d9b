/**
 * Every test of a query runs on both databases:
 *
 *   eachStore('prompts', (open) => {
 *     test('are listed most recent first', async () => {
 *       const { store, url } = await open();                 // a fresh, empty, migrated database
 *       const { store } = await open({ clock: () => now });  // with the store's clock injected
 *     });
 *   });
 *
 * It makes two `describe` blocks: embedded SQLite and a real PostgreSQL whose collation is English,
 * not C. What was opened in a test is closed and dropped after that test; in a `beforeAll`, after
 * the block. `eachDatabase` is the same without a store: `create()` gives the URL of a database
 * that is empty (SQLite: not there yet), for tests of commands and of migrations.
 * `bothStores` is for tests that compare what the two answer.
 * Tests that take the server down start one of their own: `startPostgres` in `postgres.ts`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest';
import { openStore } from '../src/storage/open/open-store.ts';
import type { Store } from '../src/storage/store.ts';

/** The name of a database, as `Store` calls it. */
export type Dialect = Store['dialect'];

/** Opens a store on a fresh database. The clock gives milliseconds since 1970. */
export type Open = (options?: {
  clock?: () => number;
}) => Promise<{ readonly store: Store; readonly url: string }>;

/** Gives the URL of a fresh database. */
export type Create = () => Promise<string>;

/** Has something done after the current test, or outside of one after the block; the last first. */
export type AtTheEnd = (clean: () => Promise<void>) => void;

const dialects: readonly Dialect[] = ['sqlite', 'postgres'];

/** Describes the block once per database; see above. */
export function eachStore(title: string, tests: (open: Open, dialect: Dialect) => void): void {
  eachDatabase(title, (create, dialect, atTheEnd) => {
    tests(async ({ clock } = {}) => {
      const url = await create();
      const store = await openStore(url, {
        mayCreate: true,
        ...(clock !== undefined && { clock }),
      });
      atTheEnd(() => store.close());
      return { store, url };
    }, dialect);
  });
}

/** Describes one block whose tests compare the databases: `open` gives a store on each. */
export function bothStores(
  title: string,
  tests: (
    open: (options?: {
      clock?: () => number;
      connectionsMax?: number;
    }) => Promise<readonly Store[]>,
  ) => void,
): void {
  describe(`${title} (both databases)`, () => {
    const atTheEnd = cleanUpAfterBlock();
    tests((options) =>
      Promise.all(
        [createSqlite, createPostgres].map(async (create) => {
          const store = await openStore(await create(atTheEnd), {
            mayCreate: true,
            ...options,
          });
          atTheEnd(() => store.close());
          return store;
        }),
      ),
    );
  });
}

/** Describes the block once per database, without opening it; see above. */
export function eachDatabase(
  title: string,
  tests: (create: Create, dialect: Dialect, atTheEnd: AtTheEnd) => void,
): void {
  for (const dialect of dialects) {
    describe(`${title} (${dialect})`, () => {
      const atTheEnd = cleanUpAfterBlock();
      const create = dialect === 'sqlite' ? createSqlite : createPostgres;
      tests(() => create(atTheEnd), dialect, atTheEnd);
    });
  }
}

async function createSqlite(atTheEnd: AtTheEnd): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  return `file:${join(folder, 'test.db')}`;
}

async function createPostgres(atTheEnd: AtTheEnd): Promise<string> {
  const server = await serverUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await execute(server, `create database ${name}`);
  atTheEnd(() => execute(server, `drop database ${name} with (force)`));
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

function cleanUpAfterBlock(): AtTheEnd {
  const cleanings: Array<() => Promise<void>> = [];
  afterAll(async () => {
    for (const clean of cleanings.toReversed()) await clean();
  });
  return function atTheEnd(clean) {
    if (TestRunner.getCurrentTest() === undefined) cleanings.push(clean);
    else onTestFinished(clean);
  };
}

let server: Promise<string> | undefined;

/** The run's PostgreSQL server, started by whoever asks first. */
function serverUrl(): Promise<string> {
  server ??= (async () => {
    const response = await fetch(inject('postgresStarter'));
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  })();
  return server;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
