import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { McpHttpHandler, McpServer } from '@modelcontextprotocol/server';

/** The default port of `--http`, next to the server's own port. */
export const defaultHttpPort = 8485;

const loopback = '127.0.0.1';
export const httpPath = '/mcp';
const bodyBytesMax = 1024 * 1024;

/** A running server and its address. */
export interface HttpServing {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves hosts that speak HTTP, on this machine only: anyone who reaches the port reads with the key.
 * Requests from web pages are refused by their `Host` and `Origin`, so that no page in a browser can
 * read either.
 */
export async function serveOverHttp({
  createServer,
  port = defaultHttpPort,
  onError,
}: {
  createServer: () => McpServer;
  port?: number;
  onError: (error: unknown) => void;
}): Promise<HttpServing> {
  const handler = createMcpHandler(createServer, {
    maxRequestBodySize: bodyBytesMax,
    onerror: onError,
  });
  // Import it here, because importing it at the top would make every start load the platform's HTTP
  // client, which takes 15 ms.
  const { createServer: createHttpServer } = await import('node:http');
  const server = createHttpServer((request, response) => {
    respond(handler, request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      onError(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, loopback, resolve);
  });
  return {
    url: `http://${loopback}:${portOf(server.address())}${httpPath}`,
    async close() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function respond(
  handler: McpHttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const hangUp = new AbortController();
  outgoing.once('close', () => hangUp.abort());
  const request = toRequest(incoming, hangUp.signal);
  const refused =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins());
  const isHere = new URL(request.url).pathname === httpPath;
  const response =
    refused ?? (isHere ? await handler.fetch(request) : new Response(null, { status: 404 }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing);
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  return new Request(`http://${loopback}${incoming.url ?? '/'}`, {
    method: incoming.method ?? 'GET',
    headers,
    signal,
    ...(hasBody ? { body: Readable.toWeb(incoming), duplex: 'half' } : {}),
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('No port was taken.');
  return address.port;
}
