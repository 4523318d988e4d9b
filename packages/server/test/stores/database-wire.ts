/** A TCP proxy before a database, which can lose connections in the ways in which networks do. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface DatabaseWire {
  /** The database's URL, through the proxy. */
  readonly url: string;
  /** From now on bytes of open and new connections vanish without an error. */
  freeze(): void;
  /** New connections work again; those from before stay frozen. */
  thaw(): void;
  /** Resets every connection. */
  drop(): void;
}

/** Starts a proxy; it ends with the test. `change` sees what the database sends. */
export async function startWire(
  databaseUrl: string,
  { change = (bytes) => bytes }: { change?: (bytes: Buffer) => Buffer } = {},
): Promise<DatabaseWire> {
  const port = Number(new URL(databaseUrl).port);
  const sockets = new Set<Socket>();
  let era = { isFrozen: false };
  // Half open: a frozen database does not say goodbye either.
  const wire = createServer({ allowHalfOpen: true }, (client) => {
    const own = era;
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to, pass] of [
      [client, server, (bytes: Buffer) => bytes],
      [server, client, change],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk: Buffer) => own.isFrozen || to.write(pass(chunk)));
      from.on('end', () => own.isFrozen || to.end());
      from.on('close', () => own.isFrozen || to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  wire.listen(0, '127.0.0.1');
  await once(wire, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    wire.close();
  });
  const address = wire.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(address.port) }).href,
    freeze: () => {
      era.isFrozen = true;
    },
    thaw: () => {
      era = { isFrozen: false };
    },
    drop: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}
