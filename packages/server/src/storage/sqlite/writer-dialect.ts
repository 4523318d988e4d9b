import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, SqliteDialect } from 'kysely';
import type { DatabaseConnection, Driver } from 'kysely';
import { isBusy } from './failures.ts';

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
