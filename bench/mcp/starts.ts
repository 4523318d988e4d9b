import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedTools } from '../../packages/tools/src/serve/served-tools.ts';
import { initialize, modernMeta, startProgram } from '../../packages/mcp/test/line-host.ts';
import { median, table } from '../bench.ts';

type Times = readonly [firstAnswer: number, list: number, processor: number];

/** Starts of the tool server beside those of a server written by hand, in both eras of the protocol. */
export async function measureStarts(
  file: string,
  { folder, rounds }: { folder: string; rounds: number },
): Promise<string> {
  const reference = writeReference(join(folder, 'hand-written.mjs'));
  const programs = [
    { file: reference, environment: {} },
    { file, environment: {} },
    { file, environment: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  ];
  const rows: string[][] = [];
  for (const era of ['with handshake', 'without handshake'] as const) {
    const samples = programs.map((): Times[] => []);
    // In turn, so that other processes of the machine disturb all of them alike.
    for (let round = 0; round < rounds; round++) {
      for (const [index, each] of programs.entries())
        samples[index]?.push(await startOnce(each, era));
    }
    for (const [place, what] of [
      [0, 'first answer'],
      [1, 'list of tools'],
      [2, 'first answer, processor time'],
    ] as const) {
      const [byHand = 0, ...ours] = samples.map((all) => median(all.map((times) => times[place])));
      const cells = ours.map((own) => `${own.toFixed(0)} (+${(own - byHand).toFixed(0)})`);
      rows.push([`${what}, ${era}`, byHand.toFixed(0), ...cells]);
    }
  }
  return table(['from start to, ms', 'by hand', 'overheard-mcp', 'at the first start'], rows);
}

async function startOnce(
  program: { readonly file: string; readonly environment: Readonly<Record<string, string>> },
  era: 'with handshake' | 'without handshake',
): Promise<Times> {
  const startedMs = performance.now();
  const host = startProgram(program);
  const modern = { _meta: modernMeta };
  if (era === 'with handshake') await host.request('initialize', initialize);
  else await host.request('server/discover', modern);
  const firstMs = performance.now() - startedMs;
  // Linux counts the nanoseconds of the process's first thread.
  const [nanoseconds] = readFileSync(`/proc/${host.child.pid}/schedstat`, 'utf8').split(' ');
  await host.request('tools/list', era === 'with handshake' ? {} : modern);
  const listMs = performance.now() - startedMs;
  await host.close();
  return [firstMs, listMs, Number(nanoseconds) / 1e6];
}

/** Writes the reference: a server without dependencies that responds from memory, in both eras. */
function writeReference(path: string): string {
  const serverInfo = { name: 'hand-written', version: '0' };
  const capabilities = { tools: {} };
  const kept = { resultType: 'complete', ttlMs: 0, cacheScope: 'public' };
  const results = {
    initialize: { protocolVersion: '2025-11-25', capabilities, serverInfo },
    'server/discover': { ...kept, supportedVersions: ['2026-07-28'], capabilities },
    'tools/list': { ...kept, tools: servedTools() },
  };
  const source = `const results = ${JSON.stringify(results)};
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }) + '\\n');
  }
});
`;
  writeFileSync(path, source);
  return path;
}
