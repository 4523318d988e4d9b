import { writeFile } from 'node:fs/promises';
import type { servedTools } from '../../packages/mcp/src/serve/served-tools.ts';

/**
 * Writes the reference: a server by hand, without dependencies, that answers the opening and the
 * list of tools from memory, in both eras, and nothing else.
 */
export async function writeHandWritten(
  path: string,
  tools: ReturnType<typeof servedTools>,
): Promise<void> {
  const info = { name: 'hand-written', version: '0' };
  const capabilities = { tools: {} };
  const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' };
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo: info },
    'server/discover': { ...kept, supportedVersions: ['2026-07-28'], capabilities },
    'tools/list': { ...kept, tools },
  };
  await writeFile(
    path,
    `const answers = ${JSON.stringify(answers)};
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] }) + '\\n');
  }
});
`,
  );
}
