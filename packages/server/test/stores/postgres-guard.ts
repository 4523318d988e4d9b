import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/**
 * A process of its own: when the process that started it ends, in whatever way, its standard input
 * closes; then the server of the data folder is ended and both folders are removed.
 */
const [folder = '', data = ''] = process.argv.slice(2);

await once(process.stdin.resume(), 'close');
const id = serverId();
// SIGQUIT is an immediate shutdown: its connections are cut and nothing is written.
if (id !== undefined && send(id, 'SIGQUIT')) {
  while (serverId() !== undefined && send(id, 0)) await setTimeout(20);
}
// An initdb that lost its parent writes on for a moment: one removal may leave something behind.
for (const path of [data, folder]) {
  for (let tries = 0; existsSync(path) && tries < 100; tries++) {
    await rm(path, { recursive: true, force: true }).catch(() => {});
    if (existsSync(path)) await setTimeout(100);
  }
}

/** The running server's process, from the file that it keeps in its folder as long as it lives. */
function serverId(): number | undefined {
  try {
    const [line] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    return Number(line);
  } catch {
    return undefined;
  }
}

/** Whether the process was there to take the signal; 0 only asks. */
function send(processId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(processId, signal);
  } catch {
    return false;
  }
}
