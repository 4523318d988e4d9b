import { Pool, types } from 'pg';
import type { PoolConfig } from 'pg';

/** How long the server may wait for a connection, and for one statement. */
const connectTimeoutMs = 4000;
export const statementTimeoutMs = 7000;

interface PoolOptions {
  readonly connectionsMax: number;
  readonly isReadOnly?: boolean;
  /** 0 for none: commands may write for minutes. */
  readonly statementTimeoutMs?: number;
  /** Told of connections that die while idle; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
}

/** A pool that outlives the database server's restart. */
export function openPool(
  url: string,
  {
    connectionsMax,
    isReadOnly = false,
    statementTimeoutMs: timeoutMs = 0,
    onIdleError = () => {},
  }: PoolOptions,
): Pool {
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    // A server that is gone without a word must not hold a request for longer than its statement may take.
    ...(timeoutMs > 0 && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 1000 }),
    keepAlive: true,
    application_name: 'overheard',
    types: { getTypeParser },
    ...(isReadOnly && { options: '-c default_transaction_read_only=on' }),
  });
  // Without a listener an idle connection's death would end the process.
  pool.on('error', onIdleError);
  return pool;
}

const getTypeParser: NonNullable<PoolConfig['types']>['getTypeParser'] = (oid, format): unknown =>
  // bigint comes as text; our counts and times are far below 2^53.
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
