/**
 * Every test of a query runs on both databases:
 *
 *   eachStore('prompts', (open) => {
 *     test('are listed most recent first', async () => {
 *       const { store, url } = await open();                 // a fresh, empty, migrated database
 *       const { store } = await open({ clock: () => now });  // with the store's clock injected
 *       const { store } = await open({ seed });              // with a copy of the rows of a seed
 *     });
 *   });
 *
 * It makes two `describe` blocks: embedded SQLite and a real PostgreSQL whose collation is English,
 * not C. Tests of commands and pages (`src/cli`, `src/web`) make the first alone, unless the title is
 * `{ title, onBoth: true }`; so do tests with `{ title, onBoth: false }`. A run that tests everything
 * (`npm run test:all`) makes both of all. What was opened in a test is closed and dropped after that test; in a `beforeAll`, after
 * the block. `eachDatabase` is the same without a store: `create()` gives the URL of a database
 * without rows, for tests of commands; `create({ isMigrated: false })` that of an empty one (SQLite: not
 * there yet), for tests of migrations and of creation.
 * `bothStores` is for tests that compare what the two answer.
 * A test of PostgreSQL alone calls `createPostgres`. Tests that take the server down start one of their
 * own: `startPostgres` in `postgres.ts`.
 */
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { QueryResult } from 'pg';
import { afterAll, describe, expect, inject, onTestFinished, TestRunner } from 'vitest';
import { isEverythingTested } from '../../../../test/cases.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import type { Store } from '../../src/storage/store.ts';

/** The name of a database, as `Store` calls it. */
export type Dialect = Store['dialect'];

/** Rows with which tests begin: written once in a worker, by `fill`, which closes what it opens; each test gets a copy. */
export interface SeedRows {
  readonly name: string;
  readonly fill: (url: string) => Promise<void>;
}

/** Opens a store on a fresh database. The clock gives milliseconds since 1970. */
export type Open = (options?: {
  clock?: () => number;
  seed?: SeedRows;
}) => Promise<{ readonly store: Store; readonly url: string }>;

/** Gives the URL of a fresh database: migrated, unless it is to be empty (SQLite: not there yet). */
export type Create = (options?: DatabaseOptions) => Promise<string>;

interface DatabaseOptions {
  readonly isMigrated?: boolean;
  readonly seed?: SeedRows | undefined;
}

/** Has something done after the current test, or outside of one after the block; the last first. */
export type AtTheEnd = (clean: () => Promise<void>) => void;

/**
 * `onBoth` is true for commands and pages that lock or race, or run queries which no other test runs on
 * PostgreSQL, and false for other tests whose queries do run there in another test, or hardly matter.
 */
type BlockTitle = string | { readonly title: string; readonly onBoth: boolean };

const dialects: readonly Dialect[] = ['sqlite', 'postgres'];

/** Describes the block once per database; see above. */
export function eachStore(title: BlockTitle, tests: (open: Open, dialect: Dialect) => void): void {
  eachDatabase(title, (create, dialect, atTheEnd) => {
    tests(async ({ clock, seed } = {}) => {
      const url = await create({ seed });
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
  title: BlockTitle,
  tests: (create: Create, dialect: Dialect, atTheEnd: AtTheEnd) => void,
): void {
  const { title: words, onBoth } =
    typeof title === 'string' ? { title, onBoth: !isOfCommandsOrPages() } : title;
  for (const dialect of onBoth || isEverythingTested ? dialects : (['sqlite'] as const)) {
    describe(`${words} (${dialect})`, { tags: dialect === 'postgres' ? ['postgres'] : [] }, () => {
      const atTheEnd = cleanUpAfterBlock();
      const create = dialect === 'sqlite' ? createSqlite : createPostgres;
      tests((options) => create(atTheEnd, options), dialect, atTheEnd);
    });
  }
}

function isOfCommandsOrPages(): boolean {
  return /[/\\]server[/\\]src[/\\](?:cli|web)[/\\]/.test(expect.getState().testPath ?? '');
}

export async function createSqlite(
  atTheEnd: AtTheEnd,
  { isMigrated = true, seed }: DatabaseOptions = {},
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  atTheEnd(() => rm(folder, { recursive: true, force: true }));
  if (isMigrated) await cp(await sqliteTemplate(seed), folder, { recursive: true });
  return `file:${join(folder, 'test.db')}`;
}

async function sqliteTemplate(seed: SeedRows | undefined): Promise<string> {
  const migrated = await shared('/sqlite-template');
  if (seed === undefined) return migrated;
  return once(`sqlite ${seed.name}`, async () => {
    const folder = await mkdtemp(join(await shared('/seeds'), 'seed-'));
    await cp(migrated, folder, { recursive: true });
    await seed.fill(`file:${join(folder, 'test.db')}`);
    return folder;
  });
}

/** The URL of a fresh database on the run's PostgreSQL server; it goes at the end of the test. */
export async function createPostgres(
  atTheEnd: AtTheEnd = onTestFinished,
  { isMigrated = true, seed }: DatabaseOptions = {},
): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await copyPostgres(isMigrated ? await postgresTemplate(seed) : 'template1', name);
  atTheEnd(() => dropDatabase(name));
  return url;
}

async function postgresTemplate(seed: SeedRows | undefined): Promise<string> {
  const migrated = await shared('/postgres-template');
  if (seed === undefined) return migrated;
  return once(`postgres ${seed.name}`, async () => {
    const name = `seed_${randomUUID().replaceAll('-', '')}`;
    await seed.fill(await copyPostgres(migrated, name));
    return name;
  });
}

async function copyPostgres(template: string, name: string): Promise<string> {
  const server = await shared('/postgres');
  await administer(`create database ${name} template ${template} strategy file_copy`);
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

/** Drops a database once its last connections have closed: a pool that is ended by force fails the run. */
async function dropDatabase(name: string): Promise<void> {
  const connections = `select 1 from pg_stat_activity where datname = '${name}'`;
  for (let tries = 0; tries < 50; tries += 1) {
    if ((await administer(connections)).rowCount === 0) break;
    await setTimeout(10);
  }
  await administer(`drop database ${name} with (force)`);
}

/** Runs a statement on the one connection of this worker to the run's server: a new one takes longer than the statement. */
async function administer(statement: string): Promise<QueryResult> {
  const client = await (administrator ??= connectToServer());
  return client.query(statement);
}

let administrator: Promise<Client> | undefined;

async function connectToServer(): Promise<Client> {
  const client = new Client({ connectionString: await shared('/postgres') });
  // The server ends before its last clients.
  client.on('error', () => (administrator = undefined));
  await client.connect();
  return client;
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

const made = new Map<string, Promise<string>>();

/** What was made under a key in this worker; the first that asks has it made. */
function once(key: string, make: () => Promise<string>): Promise<string> {
  const where = made.get(key) ?? make();
  made.set(key, where);
  return where;
}

/** The address of something that all test files of a run share, made when it is first asked for. */
function shared(path: string): Promise<string> {
  return once(path, async () => {
    const response = await fetch(inject('shared') + path);
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  });
}
