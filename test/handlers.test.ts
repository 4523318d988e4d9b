import { describe, expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { withoutComments } from './source-imports.ts';

describe('pages and endpoints', () => {
  test('catch no failure: a route says what to show for a refusal, one mapper does the rest', () => {
    const found = sourceFiles('packages/server/src/{web/pages,api/endpoints}/**/*.ts');
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter(catchesFailures).map(({ path }) => path)).toEqual([]);
  });

  test.each(['} catch (error) {', '} catch {', '.catch((error: unknown) => {', 'isRefusal(a)'])(
    'a planted catch in a page is reported: %s',
    (text) => {
      expect(catchesFailures({ path: '', text })).toBe(true);
    },
  );

  test.each(["z.enum(themes).catch('system')", 'void write().catch(() => {})', '} finally {'])(
    'code that catches no refusal passes: %s',
    (text) => {
      expect(catchesFailures({ path: '', text })).toBe(false);
    },
  );
});

describe('flows', () => {
  test('map no failure of the database: they refuse or let it through, and what runs them maps it', () => {
    const found = sourceFiles(`packages/server/src/{${flows.join(',')}}/**/*.ts`);
    expect(found.length).toBeGreaterThan(150);
    expect(found.filter(mapsFailures).map(({ path }) => path)).toEqual(
      loops.map((path) => `packages/server/src/${path}`),
    );
  });

  test.each([
    'throw store.mapFailure(error);',
    'const { mapFailure } = store;',
    'throw mapSqliteFailure(error);',
    'throw mapPostgresFailure(error);',
  ])('a planted mapping in a flow is reported: %s', (text) => {
    expect(mapsFailures({ path: '', text })).toBe(true);
  });

  test.each(["throw new Refusal('stopped', {});", '// The command line applies `mapFailure`.'])(
    'a flow that refuses or only explains passes: %s',
    (text) => {
      expect(mapsFailures({ path: '', text })).toBe(false);
    },
  );
});

describe('commands', () => {
  test('word no failure in place but wrong options: rules are refusals', () => {
    const found = sourceFiles('packages/server/src/cli/{commands,filters}/**/*.ts');
    expect(found.length).toBeGreaterThan(40);
    expect(found.filter(wordsFailure).map(({ path }) => path)).toEqual([]);
  });

  test.each([
    'throw new CommandError(`No ${word}.`, { exitCode: 2 });',
    "throw new CommandError(\n  'Stopped.',\n);",
  ])('a planted sentence in a command is reported: %s', (text) => {
    expect(wordsFailure({ path: '', text })).toBe(true);
  });

  test.each([
    "throw new UsageError('Choose one.');",
    "throw new Refusal('run_not_found', { word });",
  ])('a command that refuses, or names a wrong option, passes: %s', (text) => {
    expect(wordsFailure({ path: '', text })).toBe(false);
  });
});

const flows = [
  'access',
  'answers',
  'collect',
  'crawlers',
  'demo',
  'imports',
  'people',
  'reports',
  'rows',
  'transfer',
  'workspaces',
];

/** What runs a flow again and again must tell an outage from a defect. */
const loops = ['crawlers/spool/read-spool.ts', 'collect/retries.ts', 'collect/worker.ts'];

function catchesFailures({ text }: SourceFile): boolean {
  return /\} catch\b|\.catch\(\(\w|\bisRefusal\b/.test(withoutComments(text));
}

function mapsFailures({ text }: SourceFile): boolean {
  return /\bmap(Sqlite|Postgres)?Failure\b/.test(withoutComments(text));
}

function wordsFailure({ text }: SourceFile): boolean {
  return /new CommandError\(/.test(withoutComments(text));
}
