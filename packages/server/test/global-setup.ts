import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openStore } from '../src/storage/open/open-store.ts';
import { startMemoryFolder } from './stores/memory-folder.ts';
import { execute, startPostgres } from './stores/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Makes what the test files of a run share when it is first asked for, and responds with where it
     * is: `/postgres` the URL of a server, `/postgres-template` the name of a migrated database there,
     * `/sqlite-template` a folder with a migrated `test.db`, `/seeds` a folder for databases with rows.
     */
    shared: string;
  }
}

/** One PostgreSQL server and one migrated database of each kind for a run, and none if it asks for none. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const memory = await startMemoryFolder();
  const ends: Array<() => Promise<void>> = memory === undefined ? [] : [memory.remove];
  if (memory !== undefined) process.env['TMPDIR'] = memory.folder;
  // Making a cluster takes ten times as long as copying one.
  if (process.platform !== 'win32') {
    const clusters = await makeFolder();
    await chmod(clusters, 0o755);
    process.env['OVERHEARD_TEST_CLUSTER'] = join(clusters, 'data');
  }
  const made = new Map<string, Promise<string>>();
  const makers = new Map([
    ['/postgres', makeServer],
    ['/postgres-template', makePostgresTemplate],
    ['/sqlite-template', makeSqliteTemplate],
    ['/seeds', makeFolder],
  ]);
  const responder = createServer(({ url = '' }, response) => {
    share(url).then(
      (where) => response.end(where),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  responder.listen(0, '127.0.0.1');
  await once(responder, 'listening');
  project.provide('shared', `http://127.0.0.1:${portOf(responder.address())}`);

  return async function teardown() {
    responder.closeAllConnections();
    responder.close();
    await Promise.allSettled(made.values());
    // The folder in memory goes last.
    for (const end of ends.toReversed()) await end();
  };

  async function share(path: string): Promise<string> {
    const making = made.get(path) ?? makers.get(path)?.();
    if (making === undefined) throw new Error(`Nothing is shared at ${path}`);
    made.set(path, making);
    return making;
  }

  async function makeServer(): Promise<string> {
    const { url, stop } = await startPostgres();
    ends.push(stop);
    return url;
  }

  async function makePostgresTemplate(): Promise<string> {
    const name = 'migrated';
    const server = await share('/postgres');
    await execute(server, `create database ${name}`);
    await migrate(Object.assign(new URL(server), { pathname: `/${name}` }).href);
    return name;
  }

  async function makeSqliteTemplate(): Promise<string> {
    const folder = await makeFolder();
    await migrate(`file:${join(folder, 'test.db')}`);
    return folder;
  }

  async function makeFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'overheard-template-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }
}

async function migrate(url: string): Promise<void> {
  const store = await openStore(url, { mayCreate: true });
  await store.close();
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('It does not listen.');
  return address.port;
}
