import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, SqliteDialect } from 'kysely';
import type { Driver } from 'kysely';
import { isBusy } from './failures.ts';
import { commandWaitMs } from './handle.ts';

const askAgainMs = 50;

/**
 * A dialect whose transactions wait for another process's and let this one hear signals meanwhile:
 * SQLite's own waiting blocks the event loop.
 */
export class WriterDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver();
    const begin = driver.beginTransaction.bind(driver);
    driver.beginTransaction = async (connection, settings) => {
      await connection.executeQuery(waiting(1));
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
        await connection.executeQuery(waiting(commandWaitMs));
      }
    };
    return driver;
  }
}

function waiting(ms: number): CompiledQuery {
  return CompiledQuery.raw(`pragma busy_timeout = ${ms}`);
}
