import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer } from '@overheard/tools';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { redactKeys } from '../api/request/request-log.ts';
import type { ProgramParts } from '../api/service/dependencies.ts';
import { version } from '../version.ts';
import { createLocalClient, createRowCache } from './local-client.ts';
import type { ReachDependencies } from './pipeline.ts';

/** One part in this many of what the API may cache, in addition. */
const cacheShare = 4;

/** Responds to one request of the protocol. */
export type HandleCall = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Serves the tools to requests whose workspace is open, in both eras of the protocol: those that
 * begin with `initialize`, and those without a handshake. No request needs another one.
 */
export function createToolCalls(dependencies: ReachDependencies, parts: ProgramParts): HandleCall {
  const { log, cacheBytes, publicUrl } = dependencies;
  const cache = createRowCache({ bytesMax: cacheBytes / cacheShare });
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const workspaceId = authInfo?.clientId ?? '';
      const client = createLocalClient({ ...dependencies, ...parts, cache, workspaceId });
      return createServer({
        program: { name: 'overheard', version },
        client,
        onBug: (err) => log.error({ err }, 'a tool failed'),
      });
    },
    {
      // The list of tools never changes, so nobody needs a stream of changes.
      maxSubscriptions: 0,
      onerror: ({ message }) =>
        log.debug({ reason: redactKeys(message) }, 'a tool call was refused'),
    },
  );

  return async function handleCall(request, reply) {
    const hangUp = new AbortController();
    reply.raw.once('close', () => hangUp.abort());
    const { body } = request;
    const webRequest = new Request(new URL(request.url, publicUrl()), {
      method: 'POST',
      headers: webHeaders(request),
      signal: hangUp.signal,
      ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
    });
    const authInfo = { token: '', clientId: request.workspaceId ?? '', scopes: [] };
    const response = await handler.fetch(webRequest, { authInfo });
    // Our own headers decide how long a connection lives, also while the server drains.
    response.headers.delete('Connection');
    response.headers.set('Cache-Control', 'no-store, no-transform');
    return reply.send(response);
  };
}

/** The headers of the protocol, without the key. */
function webHeaders({ headers }: FastifyRequest): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isOfProtocol = name.startsWith('mcp-') || name === 'accept' || name === 'content-type';
    if (isOfProtocol && typeof value === 'string') web.set(name, value);
  }
  return web;
}
