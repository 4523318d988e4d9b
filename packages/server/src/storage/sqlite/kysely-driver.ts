import { setTimeout } from 'node:timers/promises';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { CompiledQuery, SqliteDialect } from 'kysely';
import type { DatabaseConnection, Driver, Kysely, SqliteDatabase, SqliteStatement } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { DataTables } from '../schema.ts';
import type { CompileRows, RowStatement } from '../store.ts';
import { packedColumns, packText, textBytes, unpackText } from '../packed-text.ts';
import { isBusy } from './failures.ts';

/** Most compiled statements to keep per handle. There are few different queries. */
const statementsMax = 256;

/**
 * A SQLite driver for Kysely, on top of `node:sqlite`. If the parameters are rows of values, a
 * statement runs once for each row, as `createRowStatement` needs it.
 */
export function createKyselyDriver(
  database: DatabaseSync,
  { isWriter = false }: { isWriter?: boolean } = {},
): SqliteDatabase {
  // In place of SQLite's own, which knows nothing of packed texts.
  database.function('octet_length', { deterministic: true }, textBytes);
  const statements = new LRUCache<string, SqliteStatement>({ max: statementsMax });

  return { prepare, close: () => database.close() };

  function prepare(text: string): SqliteStatement {
    const cached = statements.get(text);
    if (cached !== undefined) return cached;
    // Lock at once, because a transaction that reads before it writes would fail if another process
    // wrote in between.
    const isBegin = isWriter && text === 'begin';
    const statement = wrap(database.prepare(isBegin ? 'begin immediate' : text), text);
    const safe = text === 'rollback' ? onlyWithin(database, statement) : statement;
    statements.set(text, safe);
    return safe;
  }
}

/**
 * After a full disk SQLite has rolled back already. Rolling back again would fail and hide the
 * cause. https://www.sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction
 */
function onlyWithin(database: DatabaseSync, statement: SqliteStatement): SqliteStatement {
  const nothing = { changes: 0, lastInsertRowid: 0 };
  return {
    ...statement,
    run: (parameters) => (database.isTransaction ? statement.run(parameters) : nothing),
  };
}

function wrap(statement: StatementSync, text: string): SqliteStatement {
  const names = statement.columns().map(({ name }) => name);
  const toObject = names.some((name) => packedColumns.has(name)) ? toUnpacked : toPlain;
  const bind = binder(text);
  // Get rows as arrays and make plain objects of them here. The driver's objects have no prototype,
  // so reading and serialising them takes twice as long.
  statement.setReturnArrays(true);
  return {
    reader: names.length > 0,
    all: (parameters) => (areRows(parameters) ? parameters.flatMap(allOnce) : allOnce(parameters)),
    run: (parameters) => (areRows(parameters) ? runEach(parameters) : runOnce(parameters)),
    *iterate(parameters) {
      for (const row of statement.iterate(...bind(parameters))) yield toObject(names, row);
    },
  };

  function allOnce(parameters: readonly unknown[]): Array<Record<string, unknown>> {
    return statement.all(...bind(parameters)).map((row) => toObject(names, row));
  }

  function runOnce(parameters: readonly unknown[]): Changes {
    return statement.run(...bind(parameters));
  }

  function runEach(rows: ReadonlyArray<readonly unknown[]>): Changes {
    let changes = 0;
    let lastInsertRowid: Changes['lastInsertRowid'] = 0;
    for (const values of rows) {
      const ran = runOnce(values);
      changes += Number(ran.changes);
      ({ lastInsertRowid } = ran);
    }
    return { changes, lastInsertRowid };
  }
}

type Changes = ReturnType<StatementSync['run']>;

function areRows(parameters: readonly unknown[]): parameters is ReadonlyArray<readonly unknown[]> {
  return Array.isArray(parameters[0]);
}

/** Gives every object of a statement its fields in the same order, and so the same hidden class. */
function toPlain(names: readonly string[], row: unknown): Record<string, unknown> {
  const values: readonly unknown[] = Array.isArray(row) ? row : [];
  const object: Record<string, unknown> = {};
  for (let place = 0; place < names.length; place++) object[names[place] ?? ''] = values[place];
  return object;
}

/** The same where a column may be packed. */
function toUnpacked(names: readonly string[], row: unknown): Record<string, unknown> {
  const object = toPlain(names, row);
  for (const name of packedColumns) {
    const value = object[name];
    if (value instanceof Uint8Array) object[name] = unpackText(value);
  }
  return object;
}

/** Makes the parameters of a statement bindable, and packs the long texts that it stores. */
function binder(text: string): (parameters: readonly unknown[]) => SQLInputValue[] {
  const [, list] = /^insert into "?answers"? \(([^)]*)\)/.exec(text) ?? [];
  if (list === undefined) return (parameters) => parameters.map(bindable);
  const isPacked = list.split(',').map((name) => packedColumns.has(name.replaceAll(/[" ]/g, '')));
  return (parameters) =>
    parameters.map((value, place) =>
      typeof value === 'string' && isPacked[place % isPacked.length] === true
        ? packText(value)
        : bindable(value),
    );
}

/**
 * Makes a value bindable. Converts 0 and 1 of SQLite, which has no booleans. Every other value
 * comes from a typed query and binds as it is.
 */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'bigint'
  )
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`A ${typeof value} cannot be stored in SQLite`);
}

/**
 * Runs a statement for one row, once per row: SQLite keeps a statement journal for a statement of a
 * hundred rows, which takes 50 % longer. The driver takes parameters that are rows.
 */
export function createRowStatement<Row extends object, Returned>(
  db: Kysely<DataTables>,
  compile: CompileRows<Row, Returned>,
): RowStatement<Row, Returned> {
  let compiled: ReturnType<typeof compile> | undefined;

  return async function runForRows(rows) {
    if (rows.length === 0) return [];
    compiled ??= compile(rows.slice(0, 1));
    const parameters = rows.map(Object.values);
    return (await db.executeQuery<Returned>({ ...compiled, parameters })).rows;
  };
}

/**
 * How long a statement of a command waits for another process's transaction. Waiting blocks the
 * process, so a server waits less.
 */
export const commandWaitMs = 120_000;

const askAgainMs = 50;
/** Tries to cut the log. Readers use it for as long as a request lasts. */
const cutTries = 20;

/**
 * A dialect whose transactions wait for another process without blocking the event loop, as
 * SQLite's own waiting would. A failed transaction cuts the log, because a disk that it filled
 * would otherwise stay full.
 */
export class WriterDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    const begin = driver.beginTransaction.bind(driver);
    driver.beginTransaction = async (connection, settings) => {
      await connection.executeQuery(setBusyTimeout(1));
      try {
        for (let waitedMs = 0; ; waitedMs += askAgainMs) {
          const isWaiting = waitedMs < commandWaitMs;
          const hasBegun = await begin(connection, settings).then(
            () => true,
            (error: unknown) => {
              if (isWaiting && isBusy(error)) return false;
              throw error;
            },
          );
          if (hasBegun) return;
          await setTimeout(askAgainMs);
        }
      } finally {
        await connection.executeQuery(setBusyTimeout(commandWaitMs));
      }
    };
    const rollback = driver.rollbackTransaction.bind(driver);
    driver.rollbackTransaction = async (connection) => {
      await rollback(connection);
      await cutLog(connection);
    };
    return driver;
  }
}

/** Cuts the log as soon as no reader uses it. Gives up if that takes too long or fails. */
async function cutLog(connection: DatabaseConnection): Promise<void> {
  await connection.executeQuery(setBusyTimeout(1));
  try {
    for (let triesLeft = cutTries; triesLeft > 0; triesLeft -= 1) {
      const { rows } = await connection.executeQuery<{ busy: number }>(
        CompiledQuery.raw('pragma wal_checkpoint(truncate)'),
      );
      if (rows[0]?.busy !== 1) return;
      await setTimeout(askAgainMs);
    }
  } catch {
    // Ignore a failure here, because the one that ended the transaction matters more.
  } finally {
    await connection.executeQuery(setBusyTimeout(commandWaitMs));
  }
}

function setBusyTimeout(ms: number): CompiledQuery {
  return CompiledQuery.raw(`pragma busy_timeout = ${ms}`);
}
