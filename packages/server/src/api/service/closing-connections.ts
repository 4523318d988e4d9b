import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const connections = new WeakSet<Duplex>();

/** How long a client may go on sending after the server announced that the connection ends. */
const lingerMs = 1000;

/**
 * Closes a connection after a response that ends it: requests that were sent behind the one that
 * was refused must not be carried out, since nobody knows whose they are.
 */
export function closeAfterResponse(connection: Duplex): void {
  connections.add(connection);
  // Node calls this after the last response, and would reset a connection whose client still sends.
  if (connection instanceof Socket) connection.destroySoon = () => endAfterClient(connection);
}

/** Whether nothing that still arrives on a connection is to be read. */
export function isClosing(connection: Duplex): boolean {
  return connections.has(connection);
}

/**
 * Ends a connection without losing what was sent: a reset, which unread bytes cause, would take the
 * response from a client that is still sending. https://www.rfc-editor.org/rfc/rfc9112#section-9.6
 */
export function endAfterClient(connection: Duplex, lastBytes = ''): void {
  const timer = setTimeout(() => connection.destroy(), lingerMs);
  connection.once('close', () => clearTimeout(timer));
  connection.end(lastBytes);
  connection.resume();
}
