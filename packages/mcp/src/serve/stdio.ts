import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** How long to wait for a host that no longer reads the last output. */
const closeMsMax = { stopped: 50, inputEnded: 1000 } as const;

/**
 * Serves one host over a pair of streams until the input ends, cannot be read, or the signal
 * aborts. Then aborts open requests without a response, waits until the host has read the earlier
 * responses, and resolves. Writes only the protocol to `stdout`.
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
    // The host is gone and reads nothing more.
    stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  // The SDK adds one listener for each waiting message, and there may be many.
  stdout.setMaxListeners(0);
  const transport = new EndingTransport(stdin, stdout);
  const handle = serveStdio(createServer, { transport, onerror: onError });
  await Promise.race([ended, transport.closed]);
  const waitMs = signal.aborted ? closeMsMax.stopped : closeMsMax.inputEnded;
  await Promise.race([Promise.all([handle.close(), flushOutput(stdout)]), sleep(waitMs)]);
}

/** A transport that reports when it is closed, for example after a message of more than 10 MB. */
class EndingTransport extends StdioServerTransport {
  readonly #closing = new AbortController();
  readonly closed = new Promise<void>((resolve) => {
    this.#closing.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  override async close(): Promise<void> {
    await super.close();
    this.#closing.abort();
  }
}

/** Resolves when the other side has read everything, or is gone. */
async function flushOutput(stdout: Writable): Promise<void> {
  await new Promise<void>((resolve) => stdout.write('', () => resolve()));
}
