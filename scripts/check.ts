/**
 * `npm test`: every check of the repository, the quick ones first and side by side. Stops where one
 * fails and says what to do. The last line counts what passed, failed and was skipped.
 * `npm run test:all` (`--all`): the same with every case of each property, with commands and pages
 * on both databases, and with every state of each page in a browser.
 * `npm run check` (`--quick`): the same without what takes long: no PostgreSQL, no processes, no
 * build, and a tenth of the cases of each property.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

interface Check {
  readonly title: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment?: NodeJS.ProcessEnv;
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
    command: ['npm', 'run', 'types', '--silent'],
    remedy: 'Fix what is listed above; `npm run types` checks again.',
  },
  {
    title: 'Dead code',
    command: ['knip'],
    remedy:
      'Remove what nothing uses, or the `export` in front of it; `npm run check:dead-code` checks again.',
  },
];

const packages: Check = {
  title: 'Packages as they are published',
  command: ['npm', 'run', 'check:packages', '--silent'],
  remedy: 'Fix what is named above; `npm run check:packages` builds and checks them again.',
};

/** The tags are described in `vitest.config.ts`. */
const usualTests = '!long && !(once && postgres)';

/** What is read of the test runner's report. */
const reportSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
});

const isQuick = process.argv.includes('--quick');
process.exitCode = await runAll(
  isQuick ? [quickChecks, [quickTests()]] : [[...quickChecks, packages], [allTests()]],
);

function allTests(): Check {
  const isAll = process.argv.includes('--all');
  return {
    title: isAll ? 'Tests: all of them on both databases, every case of each property' : 'Tests',
    command: ['vitest', 'run', ...(isAll ? [] : [`--tags-filter=${usualTests}`]), ...testOptions],
    ...(isAll && { environment: { OVERHEARD_TESTS: 'all' } }),
    remedy: testRemedy,
  };
}

/** The tests that need neither PostgreSQL, nor another process, nor long (the tag `slow`). */
function quickTests(): Check {
  const onSqlite = String.raw`^(?!.*\((postgres|both databases)\))`;
  return {
    title: 'Quick tests: a tenth of the cases of each property, none of the slow tests',
    command: [
      'vitest',
      'run',
      '--project=this-process',
      '--tags-filter=!slow && !long',
      '-t',
      onSqlite,
      ...testOptions,
    ],
    environment: { OVERHEARD_TESTS: 'few' },
    remedy: testRemedy,
  };
}

/** Runs stage after stage, the checks of a stage at once. */
async function runAll(stages: ReadonlyArray<readonly Check[]>): Promise<number> {
  let passed = 0;
  let failed = 0;
  rmSync(report, { force: true });
  for (const stage of stages) {
    const ends = stage.map((check) => ({
      check,
      end: run(check, { isAlone: stage.length === 1 }),
    }));
    for (const { check, end } of ends) {
      process.stdout.write(`\n== ${check.title}\n`);
      const { hasPassed, output } = await end;
      process.stdout.write(output);
      if (hasPassed) passed++;
      else failed++;
      if (!hasPassed) process.stdout.write(`\n${check.title}: failed. ${check.remedy}\n`);
    }
    if (failed > 0) break;
  }
  const tests = countTests();
  passed += tests.passed;
  // The check that ran the tests is not counted beside the tests that failed.
  failed = Math.max(failed, tests.failed);
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${tests.skipped} skipped\n`);
  return failed === 0 ? 0 : 1;
}

/** Alone, a check writes to the terminal itself; beside others, its output is returned. */
async function run(
  { command: [program, ...args], environment }: Check,
  { isAlone }: { isAlone: boolean },
): Promise<{ hasPassed: boolean; output: string }> {
  const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };
  const child = spawn(program, args, {
    cwd: repository,
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
    env: { ...process.env, ...colors, ...environment },
    // Node's scripts are started with the repository's own Node.
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  try {
    await once(child, 'close');
    return { hasPassed: child.exitCode === 0, output };
  } catch (error) {
    return { hasPassed: false, output: `${output}${String(error)}\n` };
  }
}

/** None if the tests were not reached. */
function countTests(): { passed: number; failed: number; skipped: number } {
  if (!existsSync(report)) return { passed: 0, failed: 0, skipped: 0 };
  const text = readFileSync(report, 'utf8');
  const { numPassedTests, numFailedTests, numPendingTests } = reportSchema.parse(JSON.parse(text));
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
}
