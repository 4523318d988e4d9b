/**
 * Measures FLOW 1: detection beside two bare ways of looking for names; then the published program,
 * its whole import into both databases and a redetection, at two sizes of the file.
 *
 *   node bench/answers/run.ts [--answers 100000] [--write]
 *
 * Prints its section of docs/performance.md, or with --write puts it there. Takes some five minutes
 * on a machine that has nothing else to do.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import type { Took } from '../measured-command.ts';
import { machineWords, table, writeSection } from '../section.ts';
import { importAndRedetect } from './commands.ts';
import { measureDetection } from './detection.ts';
import { generateAnswers } from './generate-answers.ts';

const { values: options } = parseArgs({
  options: {
    answers: { type: 'string', default: '100000' },
    write: { type: 'boolean', default: false },
  },
});
const count = Number(options.answers);
const smaller = Math.ceil(count / 20);

const load = loadavg()[0] ?? 0;
const detection = measureDetection();
const commands = await measureCommands();
const section = `## Answers

\`node bench/answers/run.ts --write\` on ${machineWords()}; before it, ${load.toFixed(1)} processes of others wanted a core. Answers are of 2,500 characters, with lists, emphasis and links.

${table(['MB of answers per CPU second', 'detection', '`indexOf` of each alias', 'one `RegExp` of all'], detection)}

The published program, from its start to its end: an import goes from NDJSON to runs, detections of 11 subjects and scores; a redetection has one subject more. Memory is the most that the process had resident.

${table(['what', 'answers', 'a second', 'per CPU second', 'peak MB'], commands)}
`;
if (options.write) writeSection('answers', section);
else process.stdout.write(section);

async function measureCommands(): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
  const [small, large] = [join(folder, 'small.ndjson'), join(folder, 'large.ndjson')];
  try {
    generateAnswers(small, smaller);
    generateAnswers(large, count);
    return [
      ...(await rowsOf('SQLite', small, smaller, `file:${join(folder, 'small.db')}`)),
      ...(await rowsOf('SQLite', large, count, `file:${join(folder, 'large.db')}`)),
      ...(await rowsOfPostgres(small, smaller)),
      ...(await rowsOfPostgres(large, count)),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function rowsOfPostgres(file: string, answers: number): Promise<string[][]> {
  const server = await startPostgres();
  try {
    return await rowsOf('PostgreSQL', file, answers, server.url);
  } finally {
    await server.stop();
  }
}

async function rowsOf(
  title: string,
  file: string,
  answers: number,
  database: string,
): Promise<string[][]> {
  const { imported, redetected } = await importAndRedetect(file, database);
  return [
    [`import into ${title}`, ...cells(answers, imported)],
    [`redetection in ${title}`, ...cells(answers, redetected)],
  ];
}

function cells(answers: number, { seconds, cpuSeconds, megabytes }: Took): string[] {
  const words = (value: number): string => Math.round(value).toLocaleString('en-US');
  return [answers, answers / seconds, answers / cpuSeconds, megabytes].map(words);
}
