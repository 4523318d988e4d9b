/** Measures answers: detection beside two bare ways to find names, then whole imports and redetections. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs } from '../../packages/server/src/values/time/utc-day.ts';
import { table, withDatabases } from '../bench.ts';
import type { Bench, Cells } from '../bench.ts';
import { measureCommand, runCommand } from '../program.ts';
import { makeAnswers, makeNames, makeSubjects } from './corpus.ts';
import { measureDetection } from './detection.ts';

const engines = ['chatgpt', 'perplexity', 'gemini', 'claude'];

export const bench: Bench = {
  title: 'Answers',
  about: () =>
    'Answers are of 2,500 characters, with lists, emphasis and links. The published program runs from its start to its end: an import goes from NDJSON to runs, detections of 11 subjects and scores; a redetection has one subject more. Memory is the most that the process had resident.',
  async measure({ folder, scaled, add }) {
    const ways = ['detection', '`indexOf` of each alias', 'one `RegExp` of all'];
    add(table(['MB of answers per CPU second', ...ways], measureDetection()));
    const rows: Cells[] = [];
    for (const dialect of ['SQLite', 'PostgreSQL'] as const) {
      await withDatabases(dialect, folder, async (create) => {
        for (const count of [scaled(5000), scaled(100_000)]) {
          const file = join(folder, `${count}.ndjson`);
          writeAnswers(file, count);
          const measured = await importAndRedetect(file, await create(`answers_${count}`));
          for (const [what, { seconds, cpuSeconds, megabytes }] of measured) {
            const speed = [count / seconds, count / cpuSeconds];
            rows.push([`${what} ${dialect}`, count, ...speed, megabytes]);
          }
        }
      });
    }
    add(table(['what', 'answers', 'a second', 'per CPU second', 'peak MB'], rows));
  },
};

/** Imports a file into a new database, then detects in all of it again, with one competitor more. */
async function importAndRedetect(file: string, database: string) {
  const place = ['--workspace', 'bench', '--database', database];
  const [brand, ...competitors] = makeSubjects(11).map(({ aliases, domains }) => [
    aliases[0]?.alias ?? '',
    '--domain',
    domains[0] ?? '',
  ]);
  const named = ['--name', 'Bench', '--brand', ...(brand ?? [])];
  await runCommand(['workspace', 'create', 'bench', ...named, '--database', database]);
  for (const each of competitors) await runCommand(['subject', 'add', ...each, ...place]);
  const imported = await measureCommand(['answers', 'import', file, ...place]);
  // Some answers name it.
  await runCommand(['subject', 'add', makeNames(80).at(-1) ?? '', ...place]);
  const redetected = await measureCommand(['answers', 'redetect', ...place]);
  return [
    ['import into', imported],
    ['redetection in', redetected],
  ] as const;
}

/** Writes answers of the last half year as NDJSON, 2.8 kB a row: without ids, as most exports are. */
export function writeAnswers(path: string, count: number): void {
  const texts = makeAnswers(2000);
  const nowMs = Date.now();
  const file = openSync(path, 'w');
  for (let number = 0; number < count; number++) {
    const row = {
      prompt: `Question ${number % 200}?`,
      engine: engines[number % engines.length],
      // Each at a moment of its own.
      run_at: new Date(nowMs - (number % 180) * dayMs - number * 100).toISOString(),
      answer: texts[number % texts.length],
      sources: ['https://www.g2.com/categories/crm'],
    };
    writeSync(file, `${JSON.stringify(row)}\n`);
  }
  closeSync(file);
}
