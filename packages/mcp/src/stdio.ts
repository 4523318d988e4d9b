import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** A host that reads nothing more would hold up the last message for ever. */
const closeMsMax = 50;

/**
 * Serves one host over a pair of streams until the input ends or the signal aborts; resolves then,
 * with requests under way aborted and not answered. Nothing but the protocol goes to `stdout`.
 */
export async function serveOverStdio({
  createServer,
  stdin,
  stdout,
  signal,
  onError,
}: {
  createServer: () => McpServer;
  stdin: Readable;
  stdout: Writable;
  signal: AbortSignal;
  onError: (error: unknown) => void;
}): Promise<void> {
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    // A host that is gone reads nothing more.
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const handle = serveStdio(createServer, {
    transport: new StdioServerTransport(stdin, stdout),
    onerror: onError,
  });
  await ended;
  await Promise.race([handle.close(), sleep(closeMsMax)]);
}
