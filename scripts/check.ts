/**
 * `npm test`: every check of the repository, the quick ones first. Stops at the first that fails and
 * says what to do. The last line counts what passed and what failed.
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

// Where tools of a repository keep what they may lose.
const report = join(import.meta.dirname, '../node_modules/.cache/overheard/tests.json');

const checks: readonly Check[] = [
  {
    title: 'Format',
    command: ['oxfmt', '--check', '.'],
    remedy: 'Run `npm run format`.',
  },
  {
    title: 'Lint',
    command: ['oxlint', '.'],
    remedy: 'Mend what is listed above; `npm run lint -- --fix` mends some of it.',
  },
  {
    title: 'Types',
    command: ['tsc'],
    remedy: 'Mend what is listed above; `npm run types` checks again.',
  },
  {
    title: 'Dead code',
    command: ['knip'],
    remedy:
      'Remove what nothing uses, or the `export` in front of it; `npm run check:dead-code` checks again.',
  },
  {
    title: 'Build',
    command: ['npm', 'run', 'build', '--silent'],
    remedy: 'Mend what is listed above; `npm run build` builds again.',
  },
  {
    title: 'Packages as they are published',
    command: ['node', 'scripts/check-packages.ts'],
    remedy:
      'Mend the `package.json` that is named above; `npm run build && npm run check:packages` checks again.',
  },
  {
    title: 'Tests',
    command: [
      'vitest',
      'run',
      '--update=none',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    remedy: 'Run one file again with `npx vitest run PATH`.',
  },
];

/** What is read of the test runner's report. */
const reportSchema = z.object({ numPassedTests: z.int(), numFailedTests: z.int() });

process.exitCode = runAll();

function runAll(): number {
  let passed = 0;
  let failed = 0;
  rmSync(report, { force: true });
  for (const check of checks) {
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
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

function run({ command: [program, ...args] }: Check): boolean {
  const { status, error } = spawnSync(program, args, {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    // Node's scripts are started with the repository's own Node.
    shell: process.platform === 'win32',
  });
  if (error !== undefined) process.stdout.write(`${error.message}\n`);
  return status === 0;
}

/** None where the tests were not reached. */
function countTests(): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const text = readFileSync(report, 'utf8');
  const { numPassedTests, numFailedTests } = reportSchema.parse(JSON.parse(text));
  return { passed: numPassedTests, failed: numFailedTests };
}
