/**
 * `npm test`: every check of the repository, the quick ones first. Stops at the first that fails and
 * says what to do. The last line counts what passed, failed and was skipped.
 * `npm run check` (`--quick`): the same without what takes long: no PostgreSQL, no processes, no build.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

interface Check {
  readonly title: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** What to do when it fails. */
  readonly remedy: string;
}

const repository = join(import.meta.dirname, '..');
// Where tools of a repository keep what they may lose.
const report = join(repository, 'node_modules/.cache/overheard/tests.json');
const testOptions = [
  '--update=none',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
];
const testRemedy =
  'Run one file again with `npx vitest run PATH`. If a list of the docs is old, run `npm run docs`.';

const quickChecks: readonly Check[] = [
  {
    title: 'Format',
    command: ['oxfmt', '--check', '.'],
    remedy: 'Run `npm run format`.',
  },
  {
    title: 'Lint',
    command: ['oxlint', '.'],
    remedy: 'Fix what is listed above; `npm run lint -- --fix` fixes some of it.',
  },
  {
    title: 'Types',
    command: ['tsc'],
    remedy: 'Fix what is listed above; `npm run types` checks again.',
  },
  {
    title: 'Dead code',
    command: ['knip'],
    remedy:
      'Remove what nothing uses, or the `export` in front of it; `npm run check:dead-code` checks again.',
  },
];

const checks: readonly Check[] = [
  ...quickChecks,
  {
    title: 'Build',
    command: ['npm', 'run', 'build', '--silent'],
    remedy: 'Fix what is listed above; `npm run build` builds again.',
  },
  {
    title: 'Packages as they are published',
    command: ['node', 'scripts/check-packages.ts'],
    remedy:
      'Fix the `package.json` that is named above; `npm run build && npm run check:packages` checks again.',
  },
  {
    title: 'Tests',
    command: ['vitest', 'run', ...testOptions],
    remedy: testRemedy,
  },
];

/** What is read of the test runner's report. */
const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
});

const isQuick = process.argv.includes('--quick');
process.exitCode = runAll(isQuick ? [...quickChecks, quickTests()] : checks);

/** The tests that need neither PostgreSQL, nor another process, nor a module replaced, nor seconds (`@module-tag slow`). */
function quickTests(): Check {
  const onSqlite = String.raw`^(?!.*\(postgres|on both databases\))`;
  return {
    title: 'Quick tests',
    command: [
      'vitest',
      'run',
      '--project=shared',
      '--tags-filter=!slow',
      '-t',
      onSqlite,
      ...testOptions,
    ],
    remedy: testRemedy,
  };
}

function runAll(list: readonly Check[]): number {
  let passed = 0;
  let failed = 0;
  rmSync(report, { force: true });
  for (const check of list) {
    process.stdout.write(`\n== ${check.title}\n`);
    if (run(check)) {
      passed++;
      continue;
    }
    process.stdout.write(`\n${check.title}: failed. ${check.remedy}\n`);
    failed++;
    break;
  }
  const tests = countTests();
  passed += tests.passed;
  // The check that ran the tests is not counted beside the tests that failed.
  failed = Math.max(failed, tests.failed);
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${tests.skipped} skipped\n`);
  return failed === 0 ? 0 : 1;
}

function run({ command: [program, ...args] }: Check): boolean {
  const { status, error } = spawnSync(program, args, {
    cwd: repository,
    stdio: 'inherit',
    // Tools colour their output in CI, where a file receives it.
    env: process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1' },
    // Node's scripts are started with the repository's own Node.
    shell: process.platform === 'win32',
  });
  if (error !== undefined) process.stdout.write(`${error.message}\n`);
  return status === 0;
}

/** None if the tests were not reached. */
function countTests(): { passed: number; failed: number; skipped: number } {
  if (!existsSync(report)) return { passed: 0, failed: 0, skipped: 0 };
  const text = readFileSync(report, 'utf8');
  const { numPassedTests, numFailedTests, numPendingTests } = reportSchema.parse(JSON.parse(text));
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
}
