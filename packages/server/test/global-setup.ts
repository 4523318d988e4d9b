import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';
import type { PostgresServer } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Answers with the URL of the run's PostgreSQL server, which it starts when first asked. */
    postgresStarter: string;
  }
}

/** One PostgreSQL server for all test files of a run, and none for a run that does not ask for it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined;
  const starter = createServer((_request, response) => {
    started ??= startPostgres();
    started.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  starter.listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('postgresStarter', `http://127.0.0.1:${portOf(starter.address())}`);

  return async function teardown() {
    starter.closeAllConnections();
    starter.close();
    await (await started?.catch(() => undefined))?.stop();
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('It does not listen.');
  return address.port;
}
