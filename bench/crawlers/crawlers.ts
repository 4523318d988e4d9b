/** Measures whole ingests of logs, beside GoAccess, which stores nothing, and two bare programs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { median, table, withDatabases } from '../bench.ts';
import type { Bench, Cells, Dialect } from '../bench.ts';
import { cpuMicrosOf, memoryOf } from '../processes.ts';
import { measureCommand, runCommand } from '../program.ts';
import { generateLog, largeSiteLog, usualLog } from './generate-log.ts';
import { writeBlankLines, writeHostileLog } from './hostile-log.ts';
import { listFile, listIds } from './lists.ts';

const measurement = z.object({
  seconds: z.number(),
  cpuSeconds: z.number(),
  megabytes: z.number(),
});

export const bench: Bench = {
  title: 'Crawler hits',
  about: ({ scaled }) =>
    `A combined log of ${scaled(1_000_000).toLocaleString('en-US')} lines with 100 user agents, one line in ten of an AI bot, from anywhere in lists of 14,000 networks. The whole ingest is the published program, from its start to its end; GoAccess stores nothing. The large site's log has 13 % bots, 40,000 pages, user agents of 240 characters, and forged claims among the bots. The hostile log is made of what clients can send: a user agent, an address, a site or a page of its own in each line, one address that claims nine bots, bytes that are not UTF-8, lines of random text, and lines of 30 kB, 60 kB and 1 MB.`,
  async measure({ folder, scaled, add }) {
    const [lines, quarter] = [scaled(1_000_000), scaled(250_000)];
    const file = (name: string): string => join(folder, name);
    const log = file('access.log');
    const bytes = generateLog(log, lines, usualLog);
    generateLog(file('quarter.log'), quarter, usualLog);
    generateLog(file('few.log'), lines, { ...usualLog, isSpread: false });
    generateLog(file('large.log'), lines, largeSiteLog);
    writeHostileLog(file('hostile.log'), quarter);
    await writeBlankLines(file('blank.log.gz'), lines * 100);
    const rows: Cells[] = [];
    for (const [what, step] of [
      ['recognise', 'recognise'],
      ['recognise and verify', 'verify'],
      ['recognise, with `readline` and regular expressions', 'naive-recognise'],
      ['recognise and verify, with these and `net.BlockList`', 'naive-verify'],
    ] as const) {
      rows.push([what, ...(await measureStep(step, log, lines))]);
    }
    const toJson = ['--log-format=COMBINED', '--no-progress', '-o', file('report.json')];
    for (const [name, whose] of [
      ['access.log', ''],
      ['large.log', " of a large site's log"],
    ] as const) {
      const ingests: Cells[] = [];
      const references: Cells[] = [];
      for (const round of [1, 2, 3]) {
        const place = file(`${name}-round${round}`);
        mkdirSync(place);
        ingests.push(await ingest(file(name), { count: lines, dialect: 'SQLite', folder: place }));
        references.push(await measureProgram('goaccess', [file(name), ...toJson], lines));
      }
      rows.push([`whole ingest${whose} into SQLite, median of three`, ...middle(ingests)]);
      rows.push([`GoAccess${whose}, each after one of these`, ...middle(references)]);
    }
    for (const [what, name, count, dialect] of [
      ['the same of a quarter of the lines', 'quarter.log', quarter, 'SQLite'],
      ['whole ingest of a log with few addresses', 'few.log', lines, 'SQLite'],
      [
        'whole ingest of a hostile log, with a quarter of the lines',
        'hostile.log',
        quarter,
        'SQLite',
      ],
      [
        'whole ingest of 100 times as many blank lines in gzip',
        'blank.log.gz',
        lines * 100,
        'SQLite',
      ],
      ['whole ingest into PostgreSQL', 'access.log', lines, 'PostgreSQL'],
    ] as const) {
      rows.push([what, ...(await ingest(file(name), { count, dialect, folder }))]);
    }
    rows.push([
      '`grep -c GPTBot`',
      ...(await measureProgram('grep', ['-c', 'GPTBot', log], lines)),
    ]);
    rows.push(['`wc -l`', ...(await measureProgram('wc', ['-l', log], lines))]);
    add(table(['what', 'seconds', 'a second', 'CPU seconds', 'peak MB'], rows));
    add(`The log has ${Math.round(bytes / 1e6)} MB.`);
  },
};

/** One step of an ingest, in a process of its own. */
async function measureStep(name: string, log: string, count: number): Promise<Cells> {
  const program = join(import.meta.dirname, 'steps.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [program, name, log]);
  const { seconds, cpuSeconds, megabytes } = measurement.parse(JSON.parse(stdout));
  return [seconds, count / seconds, cpuSeconds, megabytes];
}

/** Another program that reads the log, if it is installed. Its CPU time is that of 20 ms before its end. */
async function measureProgram(
  program: string,
  words: readonly string[],
  count: number,
): Promise<Cells> {
  const startedMs = performance.now();
  const child = spawn(program, words, { stdio: 'ignore' });
  let [cpuSeconds, megabytes] = [0, 0];
  const timer = setInterval(() => {
    // A process that has ended uses nothing.
    if (child.exitCode !== null) return;
    cpuSeconds = cpuMicrosOf(child.pid) / 1e6;
    megabytes = Math.max(megabytes, memoryOf(child.pid).peak || 0);
  }, 20);
  try {
    await once(child, 'close');
  } catch {
    return ['not installed', '', '', ''];
  } finally {
    clearInterval(timer);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  return [seconds, count / seconds, cpuSeconds, megabytes];
}

/** The row with the median of the seconds. */
function middle(rows: readonly Cells[]): Cells {
  const seconds = median(rows.map(([value]) => Number(value)));
  return rows.find(([value]) => value === seconds) ?? rows[0] ?? [];
}

/** Ingests a log into a new database; its name is the file's. */
async function ingest(
  log: string,
  { count, dialect, folder }: { count: number; dialect: Dialect; folder: string },
): Promise<Cells> {
  let cells: Cells = [];
  await withDatabases(dialect, folder, async (create) => {
    const database = await create(/(\w+)\.log/.exec(log)?.[1] ?? '');
    const command = (...words: readonly string[]) => runCommand([...words, '--database', database]);
    await command('workspace', 'create', 'bench', '--name', 'Bench', '--brand', 'Bench');
    for (const id of listIds) {
      const path = join(folder, 'list.json');
      writeFileSync(path, listFile(id));
      const fetchedAt = new Date().toISOString();
      await command('ranges', 'import', path, '--list', id, '--fetched-at', fetchedAt);
    }
    const words = ['hits', 'ingest', log, '--workspace', 'bench', '--no-dns'];
    const took = await measureCommand([...words, '--database', database]);
    cells = [took.seconds, count / took.seconds, took.cpuSeconds, took.megabytes];
  });
  return cells;
}
