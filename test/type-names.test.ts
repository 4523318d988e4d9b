import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

/** The two programs start alike, and `storage/postgres` and `storage/sqlite` export the same functions. */
const allowed = ['run: packages/mcp/src/main.ts, packages/server/src/main.ts'];

test('no exported type or function name exists twice', () => {
  const files = sourceFiles('packages/*/src/**/*.ts');
  const mirrored = /: \S+storage\/postgres\/\S+, \S+storage\/sqlite\/\S+$/;
  expect(repeatedNames(files).filter((name) => !mirrored.test(name))).toEqual(allowed);
});

test.each(['export interface planted {}', 'export async function planted() {}'])(
  'a name that two files export is noticed: %s',
  (text) => {
    const files = ['a.ts', 'b.ts'].map((path) => ({ path, text }));
    expect(repeatedNames(files)).toEqual(['planted: a.ts, b.ts']);
  },
);

test('no type is named by a participle or a pronoun alone', () => {
  expect(vagueTypes(sourceFiles('{packages,bench,test,scripts}/**/*.ts'))).toEqual([]);
});

test.each([
  ['interface Judged {', ['a.ts: Judged']],
  ['type Own = string;', ['a.ts: Own']],
  ['export type Waiting<Key> = Key;', ['a.ts: Waiting']],
  ['export interface JudgedRow {}', []],
  ['type Setting = string; interface Feed {}', []],
])('a planted type name is judged: %s', (text, vague) => {
  expect(vagueTypes([{ path: 'a.ts', text }])).toEqual(vague);
});

test('no function is named by a participle, a pronoun or a preposition without its noun', () => {
  expect(vagueFunctions(sourceFiles('packages/*/src/**/*.ts'))).toEqual([]);
});

test.each([
  ['export function mapped() {', ['a.ts: mapped']],
  ['  async function* writtenTo(rows) {', ['a.ts: writtenTo']],
  ['  const waitingFor = async (ms: number): Promise<void> =>', ['a.ts: waitingFor']],
  ['const taken = <Row,>(rows: Row[]) => rows;', ['a.ts: taken']],
  ['export async function findKnown(rows) {', ['a.ts: findKnown']],
  ['const derivedOver = (\n  before: Score,\n) => before;', ['a.ts: derivedOver']],
  ['function others() {} function beyond() {}', ['a.ts: others', 'a.ts: beyond']],
  ['function mapRow() {} function keptDays() {} const ending = (moment: string) => moment;', []],
  ['const kept = rows.filter((row) => row.isKept); const given = (a + b) * c;', []],
])('a planted function name is judged: %s', (text, vague) => {
  expect(vagueFunctions([{ path: 'a.ts', text }])).toEqual(vague);
});

test('no variable or parameter is named by a participle that says nothing', () => {
  expect(vagueVariables(sourceFiles('packages/*/src/**/*.ts'))).toEqual([]);
});

test.each([
  ['const written = new Set();', ['a.ts: written']],
  ['for (const taken of items) {}', ['a.ts: taken']],
  ['const { rows: found } = result;', ['a.ts: found']],
  ['const { counts, ...asked } = result;', ['a.ts: asked']],
  ['function trim(name: string, kept: number) {', ['a.ts: kept']],
  ['async function readAll(\n  from: string,\n  lost?: string,\n) {', ['a.ts: lost']],
  [
    'rows.map((known) => known); rows.map((row, sent: number) => sent);',
    ['a.ts: known', 'a.ts: sent'],
  ],
  ['const { asked, language } = run; const foundActions = []; interface A { own: string }', []],
])('a planted variable name is judged: %s', (text, vague) => {
  expect(vagueVariables([{ path: 'a.ts', text }])).toEqual(vague);
});

/** Nouns that only look like participles, such as `Mapping`, are fine. */
function vagueTypes(files: readonly SourceFile[]): string[] {
  const vague =
    /^(?:export )?(?:type|interface|class) ((?!Feed\b)[A-Z][a-z]*ed|Waiting|Doing|Reading|Own|Due|Done|Shown|Chosen|Seen|Sent|Frozen|Written|Known|Given|Kept|Found|Around|Two|Those|Each|Other)\b/gm;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(vague)].map(([, name = '']) => `${path}: ${name}`),
  );
}

/** Nouns that only look like participles are fine, and so are the three verdicts. */
const isClear =
  /^(?:ending|heading|reading|rounding|setting|spelling|standing|string|warning)|^(?:ping|embed|feed|need|verified|spoofed|unverified)$/;

const isVague =
  /^(?:[a-z]+ed|[a-z]+ing|found|given|had|held|hidden|kept|known|left|lost|made|said|seen|sent|shown|taken|told|written|wrote|all|any|each|either|own|others?|rest|some|those|whole|what|around|away|behind|beside|beyond|within|without)(?:As|At|By|Each|For|From|In|Of|On|Out|Over|To|Up|With)?$|^(?:read|find|write|update|to|convert)(?:Known|Found|Kept|Asked|Given)$/;

/** Functions and constants that hold one. */
function vagueFunctions(files: readonly SourceFile[]): string[] {
  const functions =
    /\bfunction\*? (\w+)|\bconst (\w+) = (?:async )?(?:<[^>]*>)?\((?:[^()]|\([^()]*\))*\)(?:: [^=;]+)? =>/g;
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(functions)]
      .map(([, declared, constant]) => declared ?? constant ?? '')
      .filter((name) => isVague.test(name) && !isClear.test(name))
      .map((name) => `${path}: ${name}`),
  );
}

/** Participles that fit any value. A property that is taken apart by its own name is fine. */
const emptyWords =
  'asked|chosen|found|given|gone|had|held|hidden|kept|known|lost|made|own|said|seen|sent|shown|taken|told|written|wrote';

function vagueVariables(files: readonly SourceFile[]): string[] {
  const places = [
    String.raw`\b(?:const|let) (?:\{[^{}=;]*(?:: |\.\.\.))?(NAME)\b`,
    String.raw`\bfunction\*? \w+(?:<[^>]*>)?\((?:[^(){}]*\s)?(NAME)\??:`,
    String.raw`[(,] ?(?:\.\.\.)?(NAME)(?:: [^(){}=;]+)?\) =>`,
  ].map((place) => new RegExp(place.replace('NAME', emptyWords), 'g'));
  return files.flatMap(({ path, text }) =>
    places.flatMap((place) => [...text.matchAll(place)].map(([, name = '']) => `${path}: ${name}`)),
  );
}

function repeatedNames(files: readonly SourceFile[]): string[] {
  const exported = /^export (?:type|interface|class|(?:async )?function\*?) (\w+)/gm;
  const paths = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    for (const [, name = ''] of text.matchAll(exported)) {
      paths.set(name, (paths.get(name) ?? new Set()).add(path));
    }
  }
  return [...paths]
    .filter(([, places]) => places.size > 1)
    .map(([name, places]) => `${name}: ${[...places].toSorted().join(', ')}`);
}
