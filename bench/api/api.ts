/** Measures the API beside a bare `node:http` server that sends the same bytes from memory. */
import { plural } from '../../packages/server/src/values/plural.ts';
import { withDatabases } from '../bench.ts';
import type { Bench, Dialect } from '../bench.ts';
import { seedMany } from '../seed.ts';
import type { Shape } from '../seed.ts';
import { measureEndpoints } from './endpoints.ts';
import { measureFirstReads } from './first-read.ts';
import { measureImport } from './import.ts';
import { measureKeyTimes } from './key-times.ts';
import { measureStream } from './stream.ts';

const usual: Shape = {
  engines: 8,
  days: 180,
  prompts: 300,
  promptsWithRuns: 20,
  runs: 1000,
  subjects: 5,
  actions: 200,
  hits: 5000,
};

export const onSqlite = { bench: benchOn('SQLite') };
export const onPostgres = { bench: benchOn('PostgreSQL') };

function benchOn(dialect: Dialect): Bench {
  return {
    title: `The API on ${dialect}`,
    about: ({ scaled }) =>
      `${plural(scaled(100), 'workspace')} of 8 engines x 180 days, 300 prompts, 200 actions, 5,000 hits and 1,000 runs x 5 subjects; keys at random, no quota, 20 connections from another process, one server of the published package. A 200 is a repeated one; CPU is the server process's time for a response.`,
    measure: ({ folder, scaled, add }) =>
      withDatabases(dialect, folder, async (create) => {
        const seconds = scaled(3);
        const many = await seedMany(await create('many'), scaled(100), usual);
        add(await measureEndpoints(many, seconds));
        const few = await seedMany(await create('few'), 5, usual);
        const hitsTimes = Math.max(2, scaled(100));
        const hits = usual.hits * hitsTimes;
        const heavy = await seedMany(await create('heavy'), 1, { ...usual, hits });
        add(await measureFirstReads({ few, many, heavy, hitsTimes }, seconds));
        // A year of one prompt.
        const year = { ...usual, runs: scaled(14_546), subjects: 11, promptsWithRuns: 1, hits: 1 };
        add(await measureStream(await seedMany(await create('stream'), 1, year)));
        add(await measureKeyTimes(many, scaled(4000)));
        const empty = await seedMany(await create('import'), 1, { ...usual, hits: 1 });
        add(await measureImport(empty, { rows: scaled(300_000), folder }));
      }),
  };
}
