/** Measures `overheard-mcp` as hosts meet it, against a demo. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { keyPattern } from '@overheard/contract';
import { buildProgram } from '../../packages/mcp/build/bundle.ts';
import { bundleFile, programFile } from '../../packages/mcp/build/manifests.ts';
import { servedTools } from '../../packages/tools/src/serve/served-tools.ts';
import { countTokens } from '../../packages/mcp/test/count-tokens.ts';
import { initialize, startProgram } from '../../packages/mcp/test/line-host.ts';
import { plural } from '../../packages/server/src/values/plural.ts';
import { median, table, timed } from '../bench.ts';
import type { Bench, Cells } from '../bench.ts';
import { listening, memoryOf } from '../processes.ts';
import { overheard } from '../program.ts';
import { measureHosts } from './hosts.ts';
import { measureLarge } from './large.ts';
import { measureStarts } from './starts.ts';

type Environment = Readonly<Record<string, string>>;

export const bench: Bench = {
  title: 'Assistant tools',
  about: ({ scaled }) =>
    `Against \`overheard demo\`. The reference is a server written by hand, without dependencies, that responds from memory; all are started in turn, ${plural(scaled(30), 'time')} each, with what Node has kept of the compiled code and, as at the first start, without.`,
  async measure({ folder, scaled, add }) {
    const file = join(folder, programFile);
    await buildProgram(folder);
    add(await measureStarts(file, { folder, rounds: scaled(30) }));
    add(
      `The published program is one file of ${Math.round(statSync(join(folder, bundleFile)).size / 1000)} kB.`,
    );
    const demo = await listening(
      [overheard(), 'demo', '--commands', '--port', '0', '--quota', '0'],
      /http:\/\/[\d.]+:(\d+)[^]*The key: \S+\n/,
    );
    try {
      const [key = ''] = keyPattern.exec(demo.said) ?? [];
      const environment = { OVERHEARD_API_KEY: key, OVERHEARD_BASE_URL: demo.url };
      add(await measureTokens(file, environment));
      add(await measureCalls(file, environment, scaled(500)));
      add(await measureHosts(demo, key, scaled(20)));
    } finally {
      await demo.stop();
    }
  },
};

/** As a model pays for them: name, description and arguments of each tool; a result without arguments. */
async function measureTokens(file: string, environment: Environment): Promise<string> {
  const host = startProgram({ file, environment });
  await host.request('initialize', initialize);
  const rows: string[][] = [];
  let sum = 0;
  for (const { name, description, inputSchema } of servedTools()) {
    const definition = countTokens(JSON.stringify({ name, description, inputSchema }));
    const { result } = await host.request('tools/call', { name, arguments: {} });
    const content: ReadonlyArray<{ text: string }> = JSON.parse(
      JSON.stringify(result?.['content']),
    );
    sum += definition;
    rows.push([`\`${name}\``, `${definition}`, `${countTokens(content[0]?.text ?? '')}`]);
  }
  await host.close();
  return table(['tokens (cl100k)', 'definition', 'usual result'], [...rows, ['all', `${sum}`, '']]);
}

async function measureCalls(
  file: string,
  environment: Environment,
  calls: number,
): Promise<string> {
  const host = startProgram({ file, environment });
  await host.request('initialize', initialize);
  const rows: Cells[] = [];
  for (const name of ['get_scores', 'get_detections']) {
    const call = () => host.request('tools/call', { name, arguments: {} });
    await call();
    if (rows.length === 0) {
      rows.push(['resident memory at rest after a call, MB', memoryOf(host.child.pid).now]);
    }
    const times: number[] = [];
    let left = calls;
    const worker = async (): Promise<void> => {
      while (left-- > 0) times.push((await timed(call)).ms);
    };
    const { ms } = await timed(() => Promise.all(Array.from({ length: 10 }, worker)));
    rows.push([`\`${name}\`, 10 at once: calls/s`, (calls / ms) * 1000]);
    rows.push([`\`${name}\`, 10 at once: p50 ms`, median(times)]);
  }
  await host.close();
  for (const [what, rowsCount, isRefused] of [
    ['24,000 detections', 24_000, false],
    ['160,000 detections, refused', 160_000, true],
  ] as const) {
    const { stallMs, peak } = await measureLarge(file, environment, { rowsCount, isRefused });
    rows.push([`${what}: longest wait of a ping, ms`, stallMs]);
    rows.push([`${what}: most resident memory, MB`, peak]);
  }
  return table(['while it runs', 'value'], rows);
}
