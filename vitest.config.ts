import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { builtThreads } from './packages/server/test/program-setup.ts';
import { filesWithProcesses, testGlobs } from './test/test-files.ts';

const withProcesses = filesWithProcesses();

// Vitest reads a default export: the only one of the repository.
export default defineConfig({
  plugins: [builtThreads],
  test: {
    // A worker runs many files and loads their modules once, so a test must not replace one for good.
    isolate: false,
    // The projects run in the order of their names: the one with the longest waits is the first.
    projects: [
      { extends: true, test: { name: 'processes', include: withProcesses } },
      {
        extends: true,
        test: { name: 'this-process', include: [...testGlobs], exclude: withProcesses },
      },
    ],
    globalSetup: ['packages/server/test/global-setup.ts', 'packages/server/test/program-setup.ts'],
    // Databases and servers are real, machines are shared: these limits only end what hangs, so no
    // test has a shorter one.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    // The time of a process or a thread is mostly compilation.
    env: {
      NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/overheard/compiled'),
    },
    // What TypeScript compiles to is kept from run to run.
    fsModuleCache: true,
    fsModuleCachePath: join(import.meta.dirname, 'node_modules/.cache/overheard/modules'),
    // Much of the suite waits for processes, timeouts and databases: two cores feed four workers.
    maxWorkers: 4,
    tags: [
      {
        name: 'slow',
        description:
          'It waits for seconds, starts threads, stores thousands of rows or tries hundreds of cases: `npm run check` leaves it out.',
      },
      {
        name: 'once',
        description:
          'It takes a while, and other tests run its statements on PostgreSQL: `npm test` runs it on SQLite alone.',
      },
      {
        name: 'long',
        description:
          'It takes many seconds, and a shorter test guards most of the same: `npm run test:all` alone runs it.',
      },
      { name: 'postgres', description: 'It runs on PostgreSQL. `eachStore` sets it.' },
    ],
  },
});
