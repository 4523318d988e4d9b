import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { environment } from '../../src/config.ts';
import { installBinaries } from './postgres-binaries.ts';
import type { Binaries } from './postgres-binaries.ts';

const run = promisify(execFile);
const portTries = 5;

/** ICU is part of the binaries: its locales do not depend on what the machine has. */
const initdbOptions =
  '-U postgres -A trust -E UTF8 --locale-provider=icu --icu-locale=en-US --locale=C --no-sync --no-instructions';

/** A real PostgreSQL server of one's own, empty, in a temporary folder. */
export interface PostgresServer {
  /** Address of its `postgres` database; the superuser `postgres` needs no password. */
  readonly url: string;
  /** Cuts every connection and ends the server; its data and port are kept for `start`. */
  halt(): Promise<void>;
  /** Starts it again after `halt`; resolves when it answers. */
  start(): Promise<void>;
  /** `halt`, then `start`. */
  restart(): Promise<void>;
  /** Ends it for good and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a free port of 127.0.0.1, whose databases sort text as English
 * dictionaries do: what would be sorted by the locale by mistake is then sorted wrongly.
 * Nothing is synced to disk, but what is committed outlives `halt`. However the calling process ends, the server ends with it.
 * Throws what the server said if it does not start.
 */
export async function startPostgres({
  connectionsMax = 200,
}: { connectionsMax?: number } = {}): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-postgres-'));
  const data = await mkdtemp(join(tmpdir(), 'overheard-postgres-data-'));
  const guard = startGuard([folder, data]);
  try {
    // Other users may have to pass through it.
    await chmod(folder, 0o755);
    const binaries = await installBinaries(folder);
    await createData({ folder, data, binaries });
    const port = await startOnFreePort({ folder, data, binaries, connectionsMax });
    const halt = () => control(binaries, ['stop', '-D', data, '-m', 'immediate']);
    const start = () => startOn(port, { folder, data, binaries, connectionsMax });

    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      halt,
      start,
      restart: async () => {
        await halt();
        await start();
      },
      stop: () => clear(guard),
    };
  } catch (error) {
    await clear(guard);
    throw error;
  }
}

/** Runs one statement on a connection of its own. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly binaries: Binaries;
  readonly connectionsMax: number;
}

async function createData({
  folder,
  data,
  binaries,
}: Omit<Cluster, 'connectionsMax'>): Promise<void> {
  const { owner, initdb } = binaries;
  const asOwner = { ...owner, cwd: folder };
  const template = environment['OVERHEARD_TEST_CLUSTER'];
  if (owner !== undefined) await chown(data, owner.uid, owner.gid);
  if (template !== undefined && existsSync(template)) {
    await run('cp', ['-R', `${template}/.`, data], asOwner);
    return;
  }
  await run(initdb, ['-D', data, ...initdbOptions.split(' ')], asOwner);
  if (template === undefined) return;
  const copy = await mkdtemp(`${template}-`);
  if (owner !== undefined) await chown(copy, owner.uid, owner.gid);
  await run('cp', ['-R', `${data}/.`, copy], asOwner);
  // Another test may have been first.
  await rename(copy, template).catch(() => {});
}

async function startOnFreePort(cluster: Cluster): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      await startOn(port, cluster);
      return port;
    } catch (error) {
      if (tries === portTries) throw error;
    }
  }
}

async function startOn(port: number, { folder, data, binaries, connectionsMax }: Cluster) {
  const log = join(data, 'server.log');
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: data,
    max_connections: connectionsMax,
    shared_buffers: '32MB',
    fsync: 'off',
    full_page_writes: 'off',
    max_wal_size: '256MB',
    // Workers of its own would look at the many small databases of tests.
    io_method: 'sync',
    autovacuum: 'off',
  };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}='${value}'`);
  try {
    await control(binaries, ['start', '-D', data, '-l', log, '-o', options.join(' ')]);
  } catch (error) {
    const said = await readFile(log, 'utf8').catch(() => '');
    throw new Error(`PostgreSQL did not start in ${folder}:\n${said}`, { cause: error });
  }
}

/** Runs `pg_ctl`, which waits until it is done. */
async function control(binaries: Binaries, args: readonly string[]): Promise<void> {
  // The server inherits what it is started with: with a pipe, its end would be waited for.
  const child = spawn(binaries.control, ['-w', '-s', ...args], {
    ...binaries.owner,
    cwd: '/',
    stdio: 'ignore',
    detached: true,
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`pg_ctl ${args[0]} ended with ${code}`);
}

/** Ends the server and removes its folders when our end of its standard input closes, whatever closes it. */
export function startGuard(folders: readonly [folder: string, data: string]): ChildProcess {
  const script = fileURLToPath(new URL('./postgres-guard.ts', import.meta.url));
  const guard = spawn(process.execPath, [script, ...folders], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a process group of its own: Ctrl-C on a terminal must not reach it.
    detached: true,
  });
  guard.unref();
  return guard;
}

export async function clear(guard: ChildProcess): Promise<void> {
  guard.ref();
  guard.stdin?.end();
  await once(guard, 'exit');
}

/** Below the ports from which systems choose for outgoing connections, so that a halted server's stays free. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const probe = createServer();
    probe.listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
