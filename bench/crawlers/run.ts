import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { generateLog } from './generate-log.ts';
import { steps } from './steps.ts';

const run = promisify(execFile);

/**
 * Measures the way of a log to hits, each step in a process of its own:
 *
 *   node bench/crawlers/run.ts [LINES] [STEP...]
 */
if (process.argv[2] === '--step') await runStep();
else await runAll();

async function runStep(): Promise<void> {
  const [, , , name = '', log = '', database = ''] = process.argv;
  const step = steps[name];
  if (step === undefined) throw new Error(`There is no step ${name}`);
  const start = performance.now();
  const before = process.cpuUsage();
  const count = await step(log, database);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = (user + system) / 1e6;
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ count, seconds, cpuSeconds, peakMegabytes }));
}

async function runAll(): Promise<void> {
  const [, , lines = '1000000', ...only] = process.argv;
  const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
  const log = join(folder, 'access.log');
  const bytes = generateLog(log, Number(lines));
  process.stdout.write(`${lines} lines, ${Math.round(bytes / 1e6)} MB\n\n`);
  process.stdout.write(
    '| step | seconds | per second | CPU seconds | peak MB |\n| --- | ---: | ---: | ---: | ---: |\n',
  );
  for (const name of Object.keys(steps)) {
    if (only.length === 0 || only.includes(name)) await measureStep(name, log);
  }
  for (const [name, args] of programs(log)) {
    if (only.length === 0 || only.includes(name)) await measureProgram(name, args, Number(lines));
  }
  await rm(folder, { recursive: true });
}

async function measureStep(name: string, log: string): Promise<void> {
  const server = name === 'ingest-postgres' ? await startPostgres() : undefined;
  const self = fileURLToPath(import.meta.url);
  const args = [self, '--step', name, log, server?.url ?? ''];
  const { stdout } = await run(process.execPath, args);
  await server?.stop();
  const result: unknown = JSON.parse(stdout);
  if (!isResult(result)) throw new Error(`${name} printed ${stdout}`);
  print(name, result.seconds, result.count, result);
}

function programs(log: string): ReadonlyArray<readonly [string, readonly string[]]> {
  return [
    ['wc -l', ['wc', '-l', log]],
    ['grep -c GPTBot', ['grep', '-c', 'GPTBot', log]],
    ['goaccess', ['goaccess', log, '--log-format=COMBINED', '-o', `${log}.json`]],
  ];
}

async function measureProgram(name: string, args: readonly string[], lines: number): Promise<void> {
  const [program = '', ...rest] = args;
  const start = performance.now();
  try {
    await run(program, rest);
    print(name, (performance.now() - start) / 1000, lines);
  } catch {
    process.stdout.write(`| ${name} | not installed | | | |\n`);
  }
}

function print(name: string, seconds: number, count: number, own?: Result): void {
  const speed = Math.round(count / seconds).toLocaleString('en-US');
  const cpu = own?.cpuSeconds.toFixed(2) ?? '';
  const peak = own?.peakMegabytes.toFixed(0) ?? '';
  process.stdout.write(`| ${name} | ${seconds.toFixed(2)} | ${speed} | ${cpu} | ${peak} |\n`);
}

interface Result {
  readonly count: number;
  readonly seconds: number;
  /** Of all threads of the process, the collector's too. */
  readonly cpuSeconds: number;
  readonly peakMegabytes: number;
}

function isResult(value: unknown): value is Result {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['count', 'seconds', 'cpuSeconds', 'peakMegabytes'].every((name) => name in value)
  );
}
