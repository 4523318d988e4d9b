/** A server on loopback that speaks the wire format of engines: it keeps what it is sent, and replays responses. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** One request as it arrived. */
export interface SentRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** How a request is responded to: a status, headers and JSON, or by hand. */
export type Reply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly json: unknown }
  | ((response: ServerResponse) => void);

/** Starts a server that gives these replies in their order, the last one again and again. */
export async function startEngineServer(...replies: readonly Reply[]): Promise<{
  readonly url: string;
  readonly sent: readonly SentRequest[];
  readonly stop: () => Promise<void>;
}> {
  const sent: SentRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null');
      sent.push({ path: request.url ?? '', headers: request.headers, body });
      const reply = replies[sent.length - 1] ?? replies.at(-1);
      if (typeof reply === 'function') {
        reply(response);
        return;
      }
      response.writeHead(reply?.status ?? 200, {
        'content-type': 'application/json',
        ...reply?.headers,
      });
      response.end(JSON.stringify(reply?.json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No port');
  return { url: `http://127.0.0.1:${address.port}`, sent, stop };
}
