/** Runs what the documentation tells a reader to type. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { repository } from '../source-files.ts';

/** The shell blocks that are marked to be run, in their order. */
export function runnableBlocks(page: string): string[] {
  const marked = /<!-- run -->\n+```sh\n(?<block>[^`]*)```/g;
  return [...page.matchAll(marked)].map(({ groups }) => groups?.['block'] ?? '');
}

/** Runs a script in a folder of its own, with the command as it is published and a free port. */
export async function runShell(script: string): Promise<{ code: unknown; output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'overheard-shell-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['examples', 'node_modules']) {
    symlinkSync(join(repository, name), join(folder, name));
  }
  const port = await freePort();
  const command = `"${process.execPath}" "${inject('program')}"`;
  const shell = spawn(
    'bash',
    [
      '-euo',
      'pipefail',
      '-c',
      `export OVERHEARD_PORT=${port}\ntrap 'kill $(jobs -p) 2> /dev/null || true; wait' EXIT\n${script
        .replaceAll('npx overheard', command)
        .replaceAll(':8484', `:${port}`)
        .replaceAll('sleep 2', untilReady(port))}`,
    ],
    // With a socket to read from, bash takes itself for a remote shell and reads its start-up files.
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const chunks: string[] = [];
  shell.stdout.on('data', (chunk) => chunks.push(String(chunk)));
  shell.stderr.on('data', (chunk) => chunks.push(String(chunk)));
  const [code] = await once(shell, 'close');
  return { code, output: chunks.join('') };
}

/** A reader waits two seconds; a busy machine may need more. */
function untilReady(port: number): string {
  return `curl -sSf --retry 40 --retry-delay 1 --retry-connrefused http://127.0.0.1:${port}/readyz`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
