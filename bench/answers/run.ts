/**
 * Measures FLOW 1: detection beside two bare ways of looking for names, the whole import, and a
 * redetection. `node bench/answers/run.ts [--answers 20000] [--postgres]`; one table on stdout.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { createDetector } from '../../packages/server/src/answers/detection/detect.ts';
import { importAnswers } from '../../packages/server/src/answers/import/import-answers.ts';
import { redetect } from '../../packages/server/src/answers/redetect.ts';
import { openStore } from '../../packages/server/src/storage/open.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { addSubject, aWorkspace } from '../../packages/server/test/answers.ts';
import { makeAnswers, makeNames, makeSubjects } from './corpus.ts';

const { values: options } = parseArgs({
  options: {
    answers: { type: 'string', default: '20000' },
    postgres: { type: 'boolean', default: false },
  },
});
const count = Number(options.answers);
const sample = makeAnswers(2000);
const sampleMegabytes = sample.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
const now = Date.parse('2026-11-20T12:00:00.000Z');
const print = (...cells: string[]): void => void process.stdout.write(`| ${cells.join(' | ')} |\n`);

print('what', 'figure');
print('---', '---');
measureDetection();
const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
try {
  await measureStore('SQLite', `file:${join(folder, 'bench.db')}`);
  if (options.postgres) await measurePostgres();
} finally {
  await rm(folder, { recursive: true, force: true });
}

function measureDetection(): void {
  for (const subjects of [1, 10, 50]) {
    const names = makeNames(4 * subjects);
    const detect = createDetector(makeSubjects(subjects));
    const lower = names.map((name) => name.toLowerCase());
    const pattern = new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${names.join('|')})(?![\\p{L}\\p{N}])`,
      'giu',
    );
    const speed = (look: (text: string) => unknown): string =>
      `${(sampleMegabytes / secondsOf(() => sample.map(look))).toFixed(1)} MB per CPU second`;
    const title = `${subjects} subjects of 4 aliases`;
    print(
      `detection, ${title}`,
      speed((text) => detect(text)),
    );
    print(
      `bare indexOf of each alias, ${title}`,
      speed((text) => {
        const folded = text.toLowerCase();
        return lower.map((name) => folded.indexOf(name));
      }),
    );
    print(
      `one RegExp of all aliases, ${title}`,
      speed((text) => [...text.matchAll(pattern)].length),
    );
  }
}

/** CPU seconds, the best of five: what else the machine does is not ours. */
function secondsOf(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    return cpuSeconds(start);
  });
  return Math.min(...times);
}

function cpuSeconds(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

async function measurePostgres(): Promise<void> {
  const server = await startPostgres();
  try {
    await measureStore('PostgreSQL', server.url);
  } finally {
    await server.stop();
  }
}

async function measureStore(title: string, url: string): Promise<void> {
  const store = await openStore(url, { mayCreate: true });
  try {
    const workspaceId = await aWorkspace(store, { subjects: [] });
    for (const [index, { aliases, domains }] of makeSubjects(11).entries()) {
      const subject = { name: aliases[0]?.alias ?? '', domain: domains[0] ?? '' };
      await addSubject(store, workspaceId, { ...subject, number: index + 1 });
    }
    await timed(`import into ${title}, 11 subjects`, 'answers', () =>
      importAll(store, workspaceId),
    );
    await addSubject(store, workspaceId, { name: makeNames(80).at(-1) ?? '', number: 12 });
    await timed(`redetect in ${title}, one subject more`, 'runs', () =>
      redetect(store, { workspaceId }),
    );
  } finally {
    await store.close();
  }
}

async function importAll(store: Store, workspaceId: string): Promise<void> {
  await importAnswers(store, {
    workspaceId,
    source: { name: 'rows', stream: Readable.from(rows()), bytesTotal: undefined },
    format: 'ndjson',
    clock: () => now,
  });
}

function* rows(): Generator<Buffer> {
  for (let number = 0; number < count; number += 1) {
    const row = {
      id: randomUUID(),
      prompt: `Question ${number % 200}?`,
      engine: ['chatgpt', 'perplexity', 'gemini', 'claude'][number % 4],
      run_at: new Date(now - (number % 180) * 86_400_000).toISOString(),
      answer: sample[number % sample.length],
      sources: ['https://www.g2.com/categories/crm'],
    };
    yield Buffer.from(`${JSON.stringify(row)}\n`);
  }
}

async function timed(what: string, unit: string, work: () => Promise<unknown>): Promise<void> {
  const cpu = process.cpuUsage();
  const start = process.hrtime.bigint();
  await work();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  const rate = (count / seconds).toFixed(0);
  const perCpu = (count / cpuSeconds(cpu)).toFixed(0);
  const megabytes = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  print(
    what,
    `${rate} ${unit}/s, ${perCpu} per CPU second of this process; ${megabytes} MB resident at most`,
  );
}
