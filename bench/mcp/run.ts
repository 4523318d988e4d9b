/**
 * Measures `overheard-mcp` as hosts meet it and writes its section of docs/performance.md. Takes
 * about a minute: node bench/mcp/run.ts
 */
import { statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildProgram } from '../../packages/mcp/build/bundle.ts';
import { bundleFile, programFile } from '../../packages/mcp/build/manifests.ts';
import { servedTools } from '../../packages/mcp/src/serve/served-tools.ts';
import { countTokens } from '../../packages/mcp/test/count-tokens.ts';
import { initialize } from '../../packages/mcp/test/line-host.ts';
import { machineWords, table, writeSection } from '../section.ts';
import { startDemo } from './demo.ts';
import { writeHandWritten } from './hand-written.ts';
import { measureEnds, measureRate, measureStarts } from './measure.ts';
import { residentMegabytes, startProgram } from './program.ts';

const rounds = 30;
const load = loadavg()[0] ?? 0;

const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-mcp-'));
const program = join(folder, programFile);
const reference = join(folder, 'hand-written.mjs');
await buildProgram(folder);
await writeHandWritten(reference, servedTools());
const demo = await startDemo();
try {
  const tables = [await starts(), await sizes(), await tokens(), await running()];
  const section = `## Assistant tools\n\n${about()}\n\n${tables.join('\n\n')}\n`;
  writeSection('assistant tools', section);
} finally {
  await demo.stop();
  await rm(folder, { recursive: true, force: true });
}

function about(): string {
  return `\`node bench/mcp/run.ts\` on ${machineWords()}, against \`overheard demo\`; before it, ${load.toFixed(1)} processes of others wanted a core. The reference is a server written by hand, without dependencies, that answers from memory; all are started in turn, ${rounds} times each, with what Node has kept of the compiled code and, as at the first start, without.`;
}

async function starts(): Promise<string> {
  const rows: string[][] = [];
  const programs = [
    { file: reference, env: {} },
    { file: program, env: {} },
    { file: program, env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  ];
  for (const era of ['with handshake', 'without handshake'] as const) {
    const [theirs, ...ours] = await measureStarts(programs, era, rounds);
    for (const [what, field] of [
      ['first answer', 'firstAnswerMs'],
      ['list of tools', 'toolsListMs'],
      ['first answer, processor time', 'cpuMs'],
    ] as const) {
      const byHand = theirs?.[field] ?? Number.NaN;
      const cells = ours.map(
        (own) => `${own[field].toFixed(0)} (+${(own[field] - byHand).toFixed(0)})`,
      );
      rows.push([`${what}, ${era}`, byHand.toFixed(0), ...cells]);
    }
  }
  return table(['from start to, ms', 'by hand', 'overheard-mcp', 'at the first start'], rows);
}

async function sizes(): Promise<string> {
  const bundled = join(folder, bundleFile);
  return table(
    ['published program', 'kB'],
    [
      ['one file', (statSync(bundled).size / 1000).toFixed(0)],
      ['gzipped', (gzipSync(await readFile(bundled)).length / 1000).toFixed(0)],
    ],
  );
}

/** As a model pays for them: name, description and arguments of each tool; a result without arguments. */
async function tokens(): Promise<string> {
  const host = startProgram(program, demo.env);
  await host.request('initialize', initialize);
  const rows: string[][] = [];
  let sum = 0;
  for (const { name, description, inputSchema } of servedTools()) {
    const definition = countTokens(JSON.stringify({ name, description, inputSchema }));
    const result = await host.request('tools/call', { name, arguments: {} });
    sum += definition;
    rows.push([`\`${name}\``, String(definition), String(countTokens(textOf(result)))]);
  }
  await host.end();
  rows.push(['all', String(sum), '']);
  return table(['tokens (o200k)', 'definition', 'usual result'], rows);
}

async function running(): Promise<string> {
  const ends = await measureEnds(program, demo.env, 10);
  const host = startProgram(program, demo.env);
  await host.request('initialize', initialize);
  await host.request('tools/call', { name: 'get_scores', arguments: {} });
  const megabytes = residentMegabytes(host.pid);
  await host.end();
  const calls = { env: demo.env, calls: 500, concurrency: 10 };
  const scores = await measureRate(program, { ...calls, tool: 'get_scores' });
  const detections = await measureRate(program, { ...calls, tool: 'get_detections' });
  return table(
    ['while it runs', 'value'],
    [
      ['from a cancelled call to the end of its request, ms', ends.abortMs.toFixed(1)],
      ['from the end of its input to its exit, ms', ends.exitMs.toFixed(1)],
      ['resident memory at rest after a call, MB', megabytes?.toFixed(0) ?? 'unknown'],
      ['`get_scores`, 10 at once: calls/s', scores.perSecond.toFixed(0)],
      ['`get_scores`, 10 at once: p50 ms', scores.p50Ms.toFixed(1)],
      ['`get_detections`, 10 at once: calls/s', detections.perSecond.toFixed(0)],
      ['`get_detections`, 10 at once: p50 ms', detections.p50Ms.toFixed(1)],
    ],
  );
}

function textOf(result: unknown): string {
  const { content }: { content: ReadonlyArray<{ text: string }> } = JSON.parse(
    JSON.stringify(result),
  );
  return content[0]?.text ?? '';
}
