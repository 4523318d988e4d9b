import { DatabaseError } from 'pg';
import type { Pool } from 'pg';
import type { ServerAddress } from './address.ts';
import { connectFailure } from './connect-failures.ts';
import { openPool, statementTimeoutMs } from './pool.ts';
import type { Connections, PoolOptions } from './pool.ts';

/** Connections that have been tested. */
export interface ReachedServer extends Connections {
  /** False behind a pooler such as PgBouncer, which may give each transaction another session. */
  readonly isSession: boolean;
}

/**
 * Opens connections with a time limit for statements and tests one. Throws a `Refusal` that
 * explains why none can be made.
 */
export async function reach(
  address: ServerAddress,
  options: Pick<PoolOptions, 'connectionsMax' | 'isReadOnly' | 'onLost'>,
): Promise<ReachedServer> {
  const wanted = { ...options, statementTimeoutMs };
  const session = openPool(address, wanted);
  try {
    if (await keepsSettings(session.pool)) return { ...session, isSession: true };
    await session.close();
    const pooled = openPool(address, { ...wanted, isSession: false });
    await pooled.pool.query('select 1').catch(async (error: unknown) => {
      await pooled.close();
      throw error;
    });
    return { ...pooled, isSession: false };
  } catch (error) {
    if (!session.pool.ending) await session.close();
    throw connectFailure(error, address);
  }
}

/**
 * Whether settings from the start of a connection stay in force. PgBouncer refuses such settings
 * (08P01) or is configured to ignore them. https://www.pgbouncer.org/features.html
 */
async function keepsSettings(pool: Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ statement_timeout: string }>('show statement_timeout');
    return rows[0]?.statement_timeout === `${statementTimeoutMs / 1000}s`;
  } catch (error) {
    if (error instanceof DatabaseError && /startup parameter/.test(error.message)) return false;
    throw error;
  }
}
