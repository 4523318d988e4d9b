import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The program as the repository starts it. */
export const program = fileURLToPath(new URL('../bin/overheard-mcp.js', import.meta.url));

const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.number().optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});

type Message = z.infer<typeof message>;

/** What every request of the revision without a handshake carries. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

/** The program, spoken to line by line as the protocol has it, without a library in between. */
export function startProgram({
  file = program,
  args = [],
  environment = {},
}: {
  file?: string;
  args?: readonly string[];
  environment?: Readonly<Record<string, string>>;
} = {}) {
  // Nothing of this process's environment but what a program needs to start.
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: '/usr/bin:/bin', ...environment },
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
  const waiting = new Map<number, (answer: Message) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const response = message.parse(JSON.parse(line));
    waiting.get(response.id ?? -1)?.(response);
  });
  let lastId = 0;
  const exited = once(child, 'exit').then(([code]) => z.number().nullable().parse(code));
  return {
    child,
    written,
    exited,
    send(line: unknown): void {
      child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    },
    /** Sends a request and waits for its answer. */
    request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
      const id = ++lastId;
      const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
      this.send({ jsonrpc: '2.0', id, method, params });
      return answer;
    },
    async close(): Promise<number | null> {
      child.stdin.end();
      return exited;
    },
  };
}
