import { Socket } from 'node:net';
import { Pool, types } from 'pg';
import type { PoolConfig } from 'pg';
import type { ServerAddress } from './address.ts';

/** How long the server may wait for a connection, and for one statement. */
const connectTimeoutMs = 4000;
export const statementTimeoutMs = 7000;

/** How long connections may take to close before they are destroyed. */
const closeTimeoutMs = 300;

/** Limits how long a connection to a former primary is kept after a failover. */
const lifetimeSeconds = 300;

export interface PoolOptions {
  readonly connectionsMax: number;
  readonly isReadOnly?: boolean;
  /** 0 for no limit, because commands may write for minutes. */
  readonly statementTimeoutMs?: number;
  /**
   * Whether a connection is one session of the server. Behind PgBouncer's transaction pooling the
   * next transaction may run in another session, so nothing may be set or prepared.
   */
  readonly isSession?: boolean;
  /** Called when a connection is lost; the pool replaces it. */
  readonly onLost?: (error: Error) => void;
}

/** Connections to one database, which outlive the database server's restart. */
export interface Connections {
  readonly pool: Pool;
  /**
   * Closes the connections, and destroys those that do not close in time, so that it always
   * resolves within a second.
   */
  close(): Promise<void>;
}

/** Opens a pool without connecting yet. */
export function openPool(
  { config }: Pick<ServerAddress, 'config'>,
  {
    connectionsMax,
    isReadOnly = false,
    statementTimeoutMs: timeoutMs = 0,
    isSession = true,
    onLost = () => {},
  }: PoolOptions,
): Connections {
  const sockets = new Set<Socket>();
  const pool = new Pool({
    ...config,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    // A server that disappears without closing must not delay a request for longer than the
    // statement's time limit.
    ...(timeoutMs > 0 && { query_timeout: timeoutMs + 1000 }),
    ...(timeoutMs > 0 && isSession && { statement_timeout: timeoutMs }),
    ...(isSession && { options: settingsOf(config.options, isReadOnly) }),
    maxLifetimeSeconds: lifetimeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'overheard',
    types: { getTypeParser },
    // Track our own sockets, because the driver keeps sockets on which signing in failed, and waits
    // for ever for a frozen server.
    stream: () => openSocket(sockets),
  });
  // Without a listener a lost connection would end the process. The pool listens only on idle
  // connections.
  pool.on('connect', (client) => client.on('error', onLost));
  pool.on('error', () => {});
  return { pool, close: () => closePool(pool, sockets) };
}

/**
 * Session settings. Keeps those of the URL, such as the search path. A statement reads one
 * workspace, so reading a whole table is never the best way. A table without a fitting index is still
 * read whole. Before PostgreSQL 18 that looks so expensive that the server would compile the
 * statement, which takes longer than running it.
 * https://www.postgresql.org/docs/17/jit-decision.html
 */
function settingsOf(options: string | undefined, isReadOnly: boolean): string {
  const readOnly = isReadOnly ? ' -c default_transaction_read_only=on' : '';
  return `${options ?? ''} -c enable_seqscan=off -c jit=off${readOnly}`.trim();
}

function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket();
  sockets.add(socket);
  socket.once('close', () => sockets.delete(socket));
  return socket;
}

async function closePool(pool: Pool, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = pool.end().then(() => Promise.all([...sockets].map(whenClosed)));
  const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
    giveUp();
  }, closeTimeoutMs);
  await Promise.race([closed, late]);
  clearTimeout(timer);
}

function whenClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => resolve());
  });
}

const getTypeParser: NonNullable<PoolConfig['types']>['getTypeParser'] = (oid, format): unknown =>
  // The driver returns bigint as text. Our counts and times are far below 2^53.
  oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format);
