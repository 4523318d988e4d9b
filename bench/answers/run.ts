/**
 * Measures FLOW 1: detection beside two bare ways of looking for names; then the published program,
 * its whole import into both databases and a redetection, at two sizes of the file. Takes some five
 * minutes on a machine that has nothing else to do.
 *
 *   node bench/answers/run.ts [--answers 100000] [--write]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { runBench, table } from '../bench.ts';
import { importAndRedetect } from './commands.ts';
import { measureDetection } from './detection.ts';
import { generateAnswers } from './generate-answers.ts';

const { values: options } = parseArgs({
  options: {
    answers: { type: 'string', default: '100000' },
    write: { type: 'boolean', default: false },
  },
});
const large = Number(options.answers);
const about =
  'Answers are of 2,500 characters, with lists, emphasis and links. The published program runs from its start to its end: an import goes from NDJSON to runs, detections of 11 subjects and scores; a redetection has one subject more. Memory is the most that the process had resident.';

await runBench({ section: 'answers', title: 'Answers', about }, async ({ folder, add }) => {
  const ways = ['detection', '`indexOf` of each alias', 'one `RegExp` of all'];
  add(table(['MB of answers per CPU second', ...ways], measureDetection()));
  const rows: Array<Array<string | number>> = [];
  for (const [title, answers] of [
    ['SQLite', Math.ceil(large / 20)],
    ['SQLite', large],
    ['PostgreSQL', Math.ceil(large / 20)],
    ['PostgreSQL', large],
  ] as const) {
    const file = join(folder, `${answers}.ndjson`);
    generateAnswers(file, answers);
    const server = title === 'SQLite' ? undefined : await startPostgres();
    try {
      const database = server?.url ?? `file:${join(folder, `${answers}.db`)}`;
      const { imported, redetected } = await importAndRedetect(file, database);
      for (const [what, took] of [
        [`import into ${title}`, imported],
        [`redetection in ${title}`, redetected],
      ] as const) {
        const { seconds, cpuSeconds, megabytes } = took;
        rows.push([what, answers, answers / seconds, answers / cpuSeconds, megabytes]);
      }
    } finally {
      await server?.stop();
    }
  }
  add(table(['what', 'answers', 'a second', 'per CPU second', 'peak MB'], rows));
});
