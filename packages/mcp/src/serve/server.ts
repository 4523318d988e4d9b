import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { callTool } from '../call/call.ts';
import type { Client } from '../client/client.ts';
import { instructions } from './instructions.ts';
import { noValidator } from './no-validator.ts';
import { promptMessages, servedPrompts } from './prompts.ts';
import { servedTools } from './served-tools.ts';
import { tools } from '../tools/all-tools.ts';
import { version } from '../version.ts';

/** A list that never changes while the program runs; clients may keep it, for anybody. */
const cacheHint = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Makes a protocol server: one for each connection, or for each request over HTTP. */
export function createServer({
  client,
  onBug,
}: {
  client: Client;
  onBug: (bug: unknown) => void;
}): McpServer {
  const mcp = new McpServer(
    { name: 'overheard-mcp', title: 'Overheard', version },
    {
      capabilities: { tools: { listChanged: false }, prompts: { listChanged: false } },
      instructions,
      cacheHints: {
        'tools/list': cacheHint,
        'prompts/list': cacheHint,
        'server/discover': cacheHint,
      },
      jsonSchemaValidator: noValidator,
    },
  );
  // Its own tool table would check arguments and word their errors itself.
  const { server } = mcp;
  server.setRequestHandler('tools/list', () => ({ tools: servedTools() }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no such tool here. The tools are ${names}.`,
      );
    }
    return callTool(tool, params.arguments ?? {}, { client, signal: mcpReq.signal, onBug });
  });
  server.setRequestHandler('prompts/list', () => ({ prompts: servedPrompts() }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    promptMessages(params.name, params.arguments ?? {}),
  );
  return mcp;
}
