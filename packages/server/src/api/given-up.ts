import type { Duplex } from 'node:stream';

const connections = new WeakSet<Duplex>();

/**
 * Gives a connection up after an answer that ends it: requests that were sent behind the one that
 * was refused must not be carried out, since nobody knows whose they are.
 */
export function giveUp(connection: Duplex): void {
  connections.add(connection);
}

/** Whether nothing that still arrives on a connection is to be read. */
export function isGivenUp(connection: Duplex): boolean {
  return connections.has(connection);
}
