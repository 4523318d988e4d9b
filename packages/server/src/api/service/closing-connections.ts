import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const connections = new WeakSet<Duplex>();

/** How long a client may continue sending after the server announced the end of the connection. */
const lingerMs = 5000;

/**
 * Closes a connection after a response that ends it: requests after a refused one must not be
 * carried out, because it is unknown who sent them.
 */
export function closeAfterResponse(connection: Duplex): void {
  connections.add(connection);
  // Node calls this after the last response, and would reset a connection on which the client still
  // sends.
  if (connection instanceof Socket) connection.destroySoon = () => endAfterClient(connection);
}

/** Whether further bytes on a connection are to be ignored. */
export function isClosing(connection: Duplex): boolean {
  return connections.has(connection);
}

/**
 * Ends a connection without losing the response. Unread bytes would cause a reset, which deletes
 * the response at a client that is still sending.
 * https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function endAfterClient(connection: Duplex, lastBytes = ''): void {
  const timer = setTimeout(() => connection.destroy(), lingerMs);
  connection.once('close', () => clearTimeout(timer));
  connection.end(lastBytes);
  connection.resume();
}
