import { defineConfig } from 'vitest/config';

// Vitest reads a default export: the only one of the repository.
export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'packages/server/test/global-setup.ts',
    // Databases and servers are real, machines are shared: a test that hangs fails, a slow one does not.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    pool: 'forks',
    // Half of the suite waits for processes, timeouts and databases: two cores feed four workers.
    maxWorkers: 4,
    tags: [
      {
        name: 'slow',
        description:
          'It waits for seconds or tries hundreds of cases: `npm run check` leaves it out.',
      },
    ],
  },
});
