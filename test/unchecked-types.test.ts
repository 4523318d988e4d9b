import { expect, test } from 'vitest';
import { allSourceFiles, sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { importsOf, withoutComments } from './source-imports.ts';

/** The only file with a schema that accepts everything. */
const door = 'packages/server/src/values/assume-type.ts';

/** Files that may assume a type: both ends of our threads, and columns that one module packs. */
const trusting = [
  'packages/server/src/collect/collector.ts',
  'packages/server/src/collect/thread.ts',
  'packages/server/src/crawlers/spool/thread.ts',
  'packages/server/src/jobs/run-thread.ts',
  'packages/server/src/jobs/thread.ts',
  'packages/server/src/jobs/upgrade/thread.ts',
  'packages/server/src/jobs/upgrade/upgrade.ts',
  'packages/server/src/reports/published/compose.ts',
  'packages/server/src/storage/counts/packed-counts.ts',
  'packages/server/src/storage/counts/source-counts.ts',
  'packages/server/src/web/reader/report-reader.ts',
  'packages/server/src/web/reader/thread.ts',
];

test('no schema gives a value a type that it does not check', () => {
  const files = allSourceFiles('{packages,bench,scripts}/**/*.ts');
  expect(files.length).toBeGreaterThan(1000);
  const unchecked = files.filter(({ text }) => hasUncheckedSchema(withoutComments(text)));
  expect(unchecked.map(({ path }) => path)).toEqual([door]);
});

test.each([
  'const row = z.custom<Row>().parse(value);',
  'const rows = z.object({ rows: z.array(z.custom<Row<Name, { a: () => void }>>()) });',
  'const row = z.custom<Row>(undefined, { error: "A row" });',
  'const row = z.custom<\n  Row\n>(() => true).parse(value);',
  'const row = z.custom<Row>((_) => true);',
  'const row = z.custom<Row>(_value => true);',
  "import { custom } from 'zod';\nconst row = custom<Row>();",
])('a planted schema without a check is caught: %s', (text) => {
  expect(hasUncheckedSchema(text)).toBe(true);
});

test.each([
  'const code = z.custom<RefusalCode>(isCode);',
  'const stored = z.custom<Stored<Name>>(\n  (value) => schema.safeParse(value).success,\n);',
  'const custom = readCustom(value);',
])('a schema with a check is allowed: %s', (text) => {
  expect(hasUncheckedSchema(text)).toBe(false);
});

test('only the ends of threads and the readers of packed columns and published pages assume a type', () => {
  const files = sourceFiles('{packages,bench,scripts}/**/*.ts');
  expect(
    files
      .filter(assumesType)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(trusting);
});

test('a planted file that assumes a type is caught', () => {
  const text = "import { assumeType } from '../../values/assume-type.ts';";
  expect(assumesType({ path: 'packages/server/src/api/x.ts', text })).toBe(true);
});

function assumesType({ text }: SourceFile): boolean {
  return importsOf(text).some((name) => name.endsWith('/assume-type.ts'));
}

/** Whether a `custom` schema has no check, or a check that does not look at the value. */
function hasUncheckedSchema(text: string): boolean {
  return [...text.matchAll(/\bcustom(?=[<(])/g)].some(({ index }) =>
    /^\(\s*(?:\)|undefined\b|\(\s*\)|\(?_)/.test(afterTypes(text.slice(index + 'custom'.length))),
  );
}

/** The text after the type arguments that it may begin with. */
function afterTypes(text: string): string {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/=>|[<>(]/g)) {
    if (bracket === '<') depth += 1;
    if (bracket === '>') depth -= 1;
    if (bracket === '(' && depth === 0) return text.slice(index);
  }
  return '';
}
