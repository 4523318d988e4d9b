/**
 * Measures FLOW 1: detection beside two bare ways of looking for names, the whole import into both
 * databases, a redetection, and memory at two sizes. Each step is a process of its own.
 *
 *   node bench/answers/run.ts [--answers 100000] [--write]
 *
 * Prints its section of docs/performance.md, or with --write puts it there.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { machineWords, table, writeSection } from '../section.ts';
import { measureDetection } from './detection.ts';
import { steps } from './steps.ts';

const { values: options } = parseArgs({
  options: {
    answers: { type: 'string', default: '100000' },
    write: { type: 'boolean', default: false },
    step: { type: 'string' },
    database: { type: 'string', default: '' },
  },
});
const measuredSchema = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  megabytes: z.number(),
});
type Measured = z.infer<typeof measuredSchema>;

const count = Number(options.answers);
const smaller = Math.ceil(count / 4);

if (options.step === undefined) await runAll();
else await runStep(options.step);

async function runStep(name: string): Promise<void> {
  const step = steps[name];
  if (step === undefined) throw new Error(`There is no step ${name}`);
  const work = await step(options.database, count);
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const megabytes = process.resourceUsage().maxRSS / 1024;
  const measured: Measured = { seconds, cpuSeconds: (user + system) / 1e6, megabytes };
  process.stdout.write(JSON.stringify(measured));
}

async function runAll(): Promise<void> {
  const load = loadavg()[0] ?? 0;
  const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
  const rows = measureDetection();
  try {
    rows.push(...(await stepRows('SQLite', `file:${join(folder, 'small.db')}`, smaller)));
    rows.push(...(await stepRows('SQLite', `file:${join(folder, 'large.db')}`, count)));
    const server = await startPostgres();
    try {
      rows.push(...(await stepRows('PostgreSQL', server.url, count)));
    } finally {
      await server.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const section = `## Answers\n\n${about(load)}\n\n${table(['what', 'value', '`indexOf` of each alias', 'one `RegExp` of all'], rows)}\n`;
  if (options.write) writeSection('answers', section);
  else process.stdout.write(section);
}

function about(load: number): string {
  return `\`node bench/answers/run.ts --write\` on ${machineWords()}; before it, ${load.toFixed(1)} processes of others wanted a core. Answers are of 2,500 characters, with lists, emphasis and links. An import goes from NDJSON to runs, detections of 11 subjects and scores; a redetection has one subject more. Memory is the most that the process had resident, at two sizes of the file.`;
}

async function stepRows(title: string, database: string, answers: number): Promise<string[][]> {
  const rows: string[][] = [];
  for (const [step, words] of [
    ['import', `import of ${answers} answers into ${title}`],
    ['redetect', `redetection of ${answers} runs in ${title}`],
  ] as const) {
    const { seconds, cpuSeconds, megabytes } = await measure(step, database, answers);
    rows.push(
      [`${words}, per second`, (answers / seconds).toFixed(0), '', ''],
      [`${words}, per CPU second`, (answers / cpuSeconds).toFixed(0), '', ''],
      [`${words}, resident MB at most`, megabytes.toFixed(0), '', ''],
    );
  }
  return rows;
}

async function measure(step: string, database: string, answers: number): Promise<Measured> {
  const given = ['--step', step, '--database', database, '--answers', String(answers)];
  const program = fileURLToPath(import.meta.url);
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...given]);
  return measuredSchema.parse(JSON.parse(stdout));
}
