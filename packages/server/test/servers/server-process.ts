/** `overheard serve` as a process of its own, on a free port. */
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { spawnCommand } from '../commands/spawn-command.ts';
import type { Outcome } from '../commands/command-line.ts';

/** A server that listens. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  /** Sends SIGTERM, or another signal, and gives what it printed and its exit code. */
  stop(signal?: NodeJS.Signals): Promise<Outcome>;
}

/** Starts a server; resolves when it listens, and ends it with the test at the latest. */
export async function startServer(
  database: string,
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const args = [
    'serve',
    '--port',
    '0',
    '--database',
    database,
    '--create',
    // Tests of the drain say how long it takes; the others need not wait.
    '--drain-seconds',
    '1',
    ...options,
  ];
  const { child, ended } = spawnCommand(args, { env });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let said = '';
  let url: string | undefined;
  while (url === undefined) {
    const [event] = await Promise.race([once(child.stderr, 'data'), ended.then(() => [undefined])]);
    if (event === undefined) throw new Error(`The server ended: ${(await ended).stderr}`);
    said += String(event);
    url = /listens on (http\S+)\n/.exec(said)?.[1];
  }
  return {
    url,
    port: Number(new URL(url).port),
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
