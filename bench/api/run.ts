import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { openStore } from '../../packages/server/src/storage/open.ts';
import { measureAdmission } from './admission.ts';
import { seedWorkspace } from './dataset.ts';
import type { SeededWorkspace } from './dataset.ts';
import { measureEndpoints } from './endpoints.ts';
import { measureFirstReads } from './first-read.ts';
import { measureGrowth } from './growth.ts';
import { measureImport } from './import.ts';
import { startServer } from './processes.ts';
import { measureStream } from './stream.ts';
import * as report from './report.ts';

const { values: options } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    workspaces: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '1000000' },
  },
});
const seconds = Number(options.seconds);
const folder = await mkdtemp(join(tmpdir(), 'overheard-bench-'));
const postgres = options.postgres ? await startPostgres() : undefined;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  print(
    `Node ${process.version}, ${cpus().length} cores, ${postgres ? 'PostgreSQL' : 'SQLite'}.\n`,
  );
  const database = await databaseUrl('bench');
  const workspaces = await seed(database, Number(options.workspaces));

  const server = await startServer(database, ['--quota', '0']);
  print(report.endpoints(await measureEndpoints(server, workspaces, seconds)));
  print(report.memory(server.memory()));
  await server.stop();
  if (postgres === undefined) {
    print(report.firstReads(await measureFirstReads(database, workspaces, seconds)));
  }
  print(report.stream(await measureStream(await databaseUrl('stream'))));
  print(
    report.growth(
      await measureGrowth({
        smallDatabase: await databaseUrl('small'),
        largeDatabase: database,
        workspaces,
        seconds,
      }),
    ),
  );
  print(report.admission(await measureAdmission(database, workspaces, 50_000)));
  print(
    report.importing(
      await measureImport(await databaseUrl('import'), { rows: Number(options.rows), folder }),
    ),
  );
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

/** The URL of a database of its own. */
async function databaseUrl(name: string): Promise<string> {
  if (postgres === undefined) return `file:${join(folder, `${name}.db`)}`;
  await createDatabase(postgres.url, `bench_${name}`);
  const url = new URL(postgres.url);
  url.pathname = `/bench_${name}`;
  return url.href;
}

async function createDatabase(url: string, name: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}

async function seed(database: string, count: number): Promise<SeededWorkspace[]> {
  const store = await openStore(database, { mayCreate: true });
  const workspaces: SeededWorkspace[] = [];
  for (let index = 0; index < count; index++) {
    workspaces.push(await seedWorkspace(store, `bench-${index}`));
    if (index % 50 === 49) process.stderr.write(`${index + 1} of ${count} workspaces made\n`);
  }
  await store.close();
  return workspaces;
}
