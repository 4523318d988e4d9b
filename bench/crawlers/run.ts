/**
 * Measures the way of a log to hits: the steps of it, the whole command into both databases, and beside
 * them what one would take else. Each is a process of its own.
 *
 *   node bench/crawlers/run.ts [--lines 1000000] [--only STEP]... [--write]
 *
 * Takes some two minutes, most of it GoAccess where it is installed.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { runBench, table } from '../bench.ts';
import { peakMegabytes } from '../measured-command.ts';
import { generateLog, kind } from './generate-log.ts';
import { writeBlankLines, writeHostileLog } from './hostile-log.ts';
import { ingest } from './ingest.ts';
import { readMeasured } from './measured-run.ts';
import type { MeasuredRun } from './measured-run.ts';
import { steps } from './steps.ts';

const run = promisify(execFile);
const { values: options } = parseArgs({
  options: {
    lines: { type: 'string', default: '1000000' },
    only: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    step: { type: 'string' },
    log: { type: 'string', default: '' },
  },
});

if (options.step === undefined) await runAll(Number(options.lines));
else await runStep(options.step);

async function runStep(name: string): Promise<void> {
  const step = steps[name];
  if (step === undefined) throw new Error(`There is no step ${name}`);
  const start = performance.now();
  const before = process.cpuUsage();
  const count = await step(options.log);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  const measured: MeasuredRun = {
    count,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    megabytes: peakMegabytes(),
  };
  process.stdout.write(JSON.stringify(measured));
}

async function runAll(lines: number): Promise<void> {
  const about = `A combined log of ${lines.toLocaleString('en-US')} lines with 100 user agents, one line in ten of an AI bot, from anywhere in lists of 14,000 networks. The whole ingest is the published program, from its start to its end; GoAccess stores nothing. The hostile log is made of what clients can send: a user agent, an address, a site or a page of its own in each line, one address that claims nine bots, bytes that are not UTF-8, lines of random text, and lines of 30 kB, 60 kB and 1 MB.`;
  const names = { section: 'crawler hits', title: 'Crawler hits', about };
  await runBench(names, async ({ folder, add }) => {
    const file = (name: string): string => join(folder, `${name}.log`);
    const place = {
      folder,
      lines,
      log: file('access'),
      quarter: file('quarter'),
      kindLog: file('kind'),
      hostileLog: file('hostile'),
      blankLog: `${file('blank')}.gz`,
    };
    const bytes = generateLog(place.log, lines);
    generateLog(place.quarter, Math.ceil(lines / 4));
    generateLog(place.kindLog, lines, kind);
    writeHostileLog(place.hostileLog, Math.ceil(lines / 4));
    await writeBlankLines(place.blankLog, lines * 100);
    const rows: string[][] = [];
    for (const [title, name, measure] of measures(place)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      rows.push([title, ...cells(await measure())]);
    }
    add(table(['what', 'seconds', 'a second', 'CPU seconds', 'peak MB'], rows));
    add(`The log has ${Math.round(bytes / 1e6)} MB.`);
  });
}

type Measure = readonly [title: string, name: string, () => Promise<MeasuredRun | undefined>];

function measures(place: {
  folder: string;
  log: string;
  quarter: string;
  kindLog: string;
  hostileLog: string;
  blankLog: string;
  lines: number;
}): readonly Measure[] {
  const { folder, log, quarter, kindLog, hostileLog, blankLog, lines } = place;
  const step = (name: string) => () => measureStep(name, log);
  const program = (words: readonly string[]) => () => measureProgram(words, lines);
  const sqlite = (path: string, count: number) => () =>
    ingest({ log: path, lines: count, folder, database: `file:${path}.db` });
  const toJson = ['--log-format=COMBINED', '--no-progress', '-o', join(folder, 'report.json')];
  return [
    ['recognise', 'recognise', step('recognise')],
    ['recognise and verify', 'verify', step('verify')],
    [
      'recognise, with `readline` and regular expressions',
      'naive-recognise',
      step('naive-recognise'),
    ],
    ['recognise and verify, with these and `net.BlockList`', 'naive-verify', step('naive-verify')],
    ['whole ingest into SQLite', 'sqlite', sqlite(log, lines)],
    ['the same of a quarter of the lines', 'quarter', sqlite(quarter, Math.ceil(lines / 4))],
    ['whole ingest of a log with few addresses', 'kind', sqlite(kindLog, lines)],
    [
      'whole ingest of a hostile log, with a quarter of the lines',
      'hostile',
      sqlite(hostileLog, Math.ceil(lines / 4)),
    ],
    [
      'whole ingest of 100 times as many blank lines in gzip',
      'blank',
      sqlite(blankLog, lines * 100),
    ],
    ['whole ingest into PostgreSQL', 'postgres', () => ingestIntoPostgres(place)],
    ['GoAccess', 'goaccess', program(['goaccess', log, ...toJson])],
    ['`grep -c GPTBot`', 'grep', program(['grep', '-c', 'GPTBot', log])],
    ['`wc -l`', 'wc', program(['wc', '-l', log])],
    ['addresses looked up in 2,000 networks', 'lookups', step('lookups')],
  ];
}

async function ingestIntoPostgres({
  folder,
  log,
  lines,
}: {
  folder: string;
  log: string;
  lines: number;
}): Promise<MeasuredRun> {
  const server = await startPostgres();
  try {
    return await ingest({ log, lines, folder, database: server.url });
  } finally {
    await server.stop();
  }
}

async function measureStep(name: string, log: string): Promise<MeasuredRun> {
  const args = [fileURLToPath(import.meta.url), '--step', name, '--log', log];
  const { stdout } = await run(process.execPath, args);
  return readMeasured(stdout);
}

/** Undefined if it is not installed. */
async function measureProgram(
  [program = '', ...args]: readonly string[],
  lines: number,
): Promise<MeasuredRun | undefined> {
  const start = performance.now();
  try {
    await run(program, args);
    return { count: lines, seconds: (performance.now() - start) / 1000 };
  } catch {
    return undefined;
  }
}

function cells(measured: MeasuredRun | undefined): string[] {
  if (measured === undefined) return ['not installed', '', '', ''];
  const { count, seconds, cpuSeconds, megabytes } = measured;
  return [
    seconds.toFixed(2),
    Math.round(count / seconds).toLocaleString('en-US'),
    cpuSeconds?.toFixed(2) ?? '',
    megabytes?.toFixed(0) ?? '',
  ];
}
