/** The published program: built, packed and installed; and what one command of it takes. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { z } from 'zod';
import { builtPackages, installPackages } from '../scripts/packed-packages.ts';

const reported = z.object({ cpuSeconds: z.number(), megabytes: z.number() });

/** What a command took, from its start to its end. */
export interface Took extends z.output<typeof reported> {
  readonly seconds: number;
}

/** Runs in the command's process. Reports on its fourth stream the CPU time and highest memory. */
const meter = `data:text/javascript,${encodeURIComponent(`
  import { readFileSync, writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    let kilobytes = maxRSS;
    // On Linux maxRSS begins at what the parent process had.
    try { kilobytes = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
    const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
    writeSync(3, JSON.stringify({ cpuSeconds, megabytes: kilobytes / 1024 }));
  });
`)}`;

let installed: string | undefined;

/** The path of `overheard`, which is installed when it is first asked for. It is gone when this process ends. */
export function overheard(): string {
  installed ??= install();
  return installed;
}

function install(): string {
  const cwd = join(import.meta.dirname, '..');
  execFileSync('npm', ['run', 'build', '--silent'], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'overheard-installed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(installPackages(builtPackages(), folder), 'overheard/bin/overheard.js');
}

/** Runs `overheard` with these words. Throws if it fails. */
export async function runCommand(words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [overheard(), ...words]);
}

/** The same, measured. */
export async function measureCommand(words: readonly string[]): Promise<Took> {
  const given = ['--import', meter, overheard(), ...words];
  const startedMs = performance.now();
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const [, , , stream] = child.stdio;
  if (stream === null || stream === undefined || !('read' in stream)) throw new Error('No pipe');
  const ended = once(child, 'close');
  const report = await text(stream);
  const [code] = await ended;
  if (code !== 0) throw new Error(`overheard ${words.join(' ')} ended with ${String(code)}`);
  const seconds = (performance.now() - startedMs) / 1000;
  return { seconds, ...reported.parse(JSON.parse(report)) };
}
