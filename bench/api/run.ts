/**
 * Measures the API beside a bare `node:http` server that sends the same bytes from memory:
 *
 *   node bench/api/run.ts [--postgres] [--workspaces 500] [--seconds 5] [--rows 1000000] [--write]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres } from '../../packages/server/test/postgres.ts';
import { runBench } from '../bench.ts';
import { measureEndpoints } from './endpoints.ts';
import { measureFirstReads } from './first-read.ts';
import { measureGrowth } from './growth.ts';
import { measureImport } from './import.ts';
import { measureKeyTimes } from './key-times.ts';
import { measureStream } from './stream.ts';
import { seedWorkspaces } from './workspaces.ts';

const { values: options } = parseArgs({
  options: {
    postgres: { type: 'boolean', default: false },
    workspaces: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '1000000' },
    write: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const place = options.postgres ? 'PostgreSQL' : 'SQLite';
const about = `${options.workspaces} workspaces of 8 engines x 180 days, 300 prompts, 200 actions, 5,000 hits and 1,000 runs x 5 subjects; keys at random, quota lifted, 20 connections from another process, one server of the published package. A 200 is a repeated one; CPU is the server process's time for a response.`;

const names = { section: `the API on ${place}`, title: `The API on ${place}`, about };
await runBench(names, async ({ folder, add }) => {
  const postgres = options.postgres ? await startPostgres() : undefined;
  try {
    const database = await databaseUrl('bench');
    const workspaces = await seedWorkspaces(database, Number(options.workspaces));
    add(await measureEndpoints(database, workspaces, seconds));
    if (postgres === undefined) add(await measureFirstReads(database, workspaces, seconds));
    add(await measureStream(await databaseUrl('stream')));
    const small = await databaseUrl('small');
    add(await measureGrowth({ small, large: database, workspaces, seconds }));
    add(await measureKeyTimes(database, workspaces, 4000));
    add(await measureImport(await databaseUrl('import'), { rows: Number(options.rows), folder }));
  } finally {
    await postgres?.stop();
  }

  /** The URL of a database of its own. */
  async function databaseUrl(name: string): Promise<string> {
    if (postgres === undefined) return `file:${join(folder, `${name}.db`)}`;
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`create database bench_${name}`);
    await client.end();
    return Object.assign(new URL(postgres.url), { pathname: `/bench_${name}` }).href;
  }
});
