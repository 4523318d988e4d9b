import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { program } from '../line-host.ts';

const request = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
});
const anyMessage = z.looseObject({ id: z.union([z.number(), z.string()]).optional() });

/**
 * Lets a client of HTTP speak with the program over stdio: each request's body becomes a line, each
 * line its answer. Every `initialize` starts a program of its own; requests that need no handshake
 * share one.
 */
export async function startStdioBridge(environment: Record<string, string>) {
  const programs: ChildProcess[] = [];
  const waiting = new Map<string, ServerResponse>();
  const start = (): ChildProcess => {
    const child = spawn(process.execPath, [program], {
      env: { PATH: '/usr/bin:/bin', ...environment },
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id } = anyMessage.parse(JSON.parse(line));
      const response = waiting.get(String(id));
      response?.writeHead(200, { 'Content-Type': 'application/json' }).end(line);
    });
    programs.push(child);
    return child;
  };
  let handshaken: ChildProcess | undefined;
  const stateless = start();
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      const parsed = request.safeParse(body === '' ? undefined : JSON.parse(body));
      if (!parsed.success) return response.writeHead(405).end();
      const { id, method } = parsed.data;
      const isStateless = body.includes('io.modelcontextprotocol/protocolVersion');
      if (method === 'initialize' && !isStateless) handshaken = start();
      const child = isStateless ? stateless : handshaken;
      child?.stdin?.write(`${JSON.stringify(parsed.data)}\n`);
      if (id === undefined) return response.writeHead(202).end();
      return waiting.set(String(id), response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      for (const child of programs) child.kill();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
