import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { measureAdmission } from './admission.ts';
import { seedWorkspace } from './dataset.ts';
import type { SeededWorkspace } from './dataset.ts';
import { measureEndpoints } from './endpoints.ts';
import { measureFirstReads } from './first-read.ts';
import { measureGrowth } from './growth.ts';
import { measureImport } from './import.ts';
import { machineWords, writeSection } from '../section.ts';
import { startServer } from './processes.ts';
import { measureKeyTimes } from './key-times.ts';
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
const databaseName = options.postgres ? 'PostgreSQL' : 'SQLite';
const tables: string[] = [];
const print = (text: string): void => {
  tables.push(text);
  process.stdout.write(`${text}\n\n`);
};

try {
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
  print(report.keyTimes(await measureKeyTimes(database, workspaces, 4000)));
  print(
    report.importing(
      await measureImport(await databaseUrl('import'), { rows: Number(options.rows), folder }),
    ),
  );
  writeSection(
    `the API on ${databaseName}`,
    `## The API on ${databaseName}\n\n${about()}\n\n${tables.join('\n\n')}\n`,
  );
} finally {
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true });
}

function about(): string {
  const command = ['node bench/api/run.ts', ...process.argv.slice(2)].join(' ');
  return `\`${command}\` on ${machineWords()}: ${options.workspaces} workspaces of 8 engines x 180 days, 300 prompts, 200 actions, 5,000 hits and 1,000 runs x 5 subjects; keys at random, quota lifted, 20 connections from another process, one server of the published package. A 200 is a repeated one; the bare server sends the same bytes from memory.`;
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
