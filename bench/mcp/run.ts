/**
 * Measures `overheard-mcp` as hosts meet it. Takes about a minute: node bench/mcp/run.ts [--write]
 */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildProgram } from '../../packages/mcp/build/bundle.ts';
import { bundleFile, programFile } from '../../packages/mcp/build/manifests.ts';
import { servedTools } from '../../packages/mcp/src/serve/served-tools.ts';
import { countTokens } from '../../packages/mcp/test/count-tokens.ts';
import { initialize } from '../../packages/mcp/test/line-host.ts';
import { runBench, table } from '../bench.ts';
import { startDemo } from './demo.ts';
import { writeHandWritten } from './hand-written.ts';
import { measureLarge } from './large.ts';
import { measureEnds, measureRate, measureStarts } from './measure.ts';
import { residentMegabytes, startProgram } from './program.ts';

const rounds = 30;
const about = `Against \`overheard demo\`. The reference is a server written by hand, without dependencies, that answers from memory; all are started in turn, ${rounds} times each, with what Node has kept of the compiled code and, as at the first start, without.`;

await runBench({ section: 'assistant tools', title: 'Assistant tools', about }, async (bench) => {
  const program = join(bench.folder, programFile);
  const reference = join(bench.folder, 'hand-written.mjs');
  await buildProgram(bench.folder);
  await writeHandWritten(reference, servedTools());
  const demo = await startDemo();
  try {
    bench.add(await starts(program, reference));
    bench.add(await sizes(join(bench.folder, bundleFile)));
    bench.add(await tokens(program, demo.env));
    bench.add(await running(program, demo.env));
  } finally {
    await demo.stop();
  }
});

async function starts(program: string, reference: string): Promise<string> {
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

async function sizes(bundled: string): Promise<string> {
  return table(
    ['published program', 'kB'],
    [
      ['one file', statSync(bundled).size / 1000],
      ['gzipped', gzipSync(await readFile(bundled)).length / 1000],
    ],
  );
}

/** As a model pays for them: name, description and arguments of each tool; a result without arguments. */
async function tokens(program: string, env: Record<string, string>): Promise<string> {
  const host = startProgram(program, env);
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

async function running(program: string, env: Record<string, string>): Promise<string> {
  const ends = await measureEnds(program, env, 10);
  const host = startProgram(program, env);
  await host.request('initialize', initialize);
  await host.request('tools/call', { name: 'get_scores', arguments: {} });
  const megabytes = residentMegabytes(host.pid);
  await host.end();
  const calls = { env, calls: 500, concurrency: 10 };
  const scores = await measureRate(program, { ...calls, tool: 'get_scores' });
  const detections = await measureRate(program, { ...calls, tool: 'get_detections' });
  const large = await measureLarge(program, env, { rowsCount: 160_000, isRefused: true });
  const most = await measureLarge(program, env, { rowsCount: 24_000, isRefused: false });
  return table(
    ['while it runs', 'value'],
    [
      ['from a cancelled call to the end of its request, ms', ends.abortMs],
      ['from the end of its input to its exit, ms', ends.exitMs],
      ['resident memory at rest after a call, MB', megabytes ?? 'unknown'],
      ['`get_scores`, 10 at once: calls/s', scores.perSecond],
      ['`get_scores`, 10 at once: p50 ms', scores.p50Ms],
      ['`get_detections`, 10 at once: calls/s', detections.perSecond],
      ['`get_detections`, 10 at once: p50 ms', detections.p50Ms],
      ['24,000 detections: longest wait of a ping, ms', most.stallMs],
      ['24,000 detections: most resident memory, MB', most.peakMb ?? 'unknown'],
      ['160,000 detections, refused: longest wait of a ping, ms', large.stallMs],
      ['160,000 detections, refused: most resident memory, MB', large.peakMb ?? 'unknown'],
    ],
  );
}

function textOf(result: unknown): string {
  const { content }: { content: ReadonlyArray<{ text: string }> } = JSON.parse(
    JSON.stringify(result),
  );
  return content[0]?.text ?? '';
}
