import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { listFile, lists } from './lists.ts';
import { readMeasured } from './measured.ts';
import type { Measured } from './measured.ts';

const run = promisify(execFile);

/** Runs in the command's process, and tells on its fourth stream what it took. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    writeSync(3, JSON.stringify({ cpuSeconds, megabytes: maxRSS / 1024 }));
  });
`)}`;

/** Measures `overheard hits ingest`, as published, into a database that is new. */
export async function ingest({
  log,
  lines,
  folder,
  database,
}: {
  log: string;
  lines: number;
  folder: string;
  database: string;
}): Promise<Measured> {
  // Only here: it is built and installed when it is first asked for.
  const { overheard } = await import('../installed.ts');
  const command = (...words: readonly string[]) =>
    run(process.execPath, [overheard, ...words, '--database', database]);
  await command('workspace', 'create', 'bench', '--name', 'Bench', '--brand', 'Bench');
  for (const [id, network] of Object.entries(lists)) {
    const path = join(folder, 'list.json');
    await writeFile(path, listFile(network));
    await command('ranges', 'import', path, '--list', id);
  }
  const start = performance.now();
  const words = ['hits', 'ingest', log, '--workspace', 'bench', '--no-dns', '--database', database];
  const child = spawn(process.execPath, ['--import', meter, overheard, ...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const [, , , stream] = child.stdio;
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error('No pipe');
  const ended = once(child, 'close');
  const took: unknown = JSON.parse(await text(stream));
  const [code] = await ended;
  if (code !== 0) throw new Error(`overheard hits ingest ended with ${String(code)}`);
  const seconds = (performance.now() - start) / 1000;
  return readMeasured(JSON.stringify({ count: lines, seconds, ...Object(took) }));
}
