import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

/** Files that are named after something else than an export. */
const exempt = [
  // The entry of a program.
  /\/main\.ts$/,
  // A package's build puts this file in the place of a module of the SDK.
  /\/serve\/sdk-shims\.ts$/,
  // A vocabulary: many small exports, which are used together and named as a set.
  /^packages\/contract\/src\/fields\.ts$/,
  /\/cli\/define\/options\.ts$/,
  /\/collect\/engines\/lenient\.ts$/,
  /\/server\/src\/config\.ts$/,
  /\/storage\/schema\.ts$/,
  /\/values\/statistics\/(?:distributions|estimate)\.ts$/,
  // The kind of text, or the standard, that its functions parse.
  /\/crawlers\/formats\/(?:pairs|quoted|tables)\.ts$/,
  /\/crawlers\/verify\/web-bot-auth\.ts$/,
  // A number in an order.
  /\/storage\/migrations\/(?:data\/)?(?:access|data|ledger)-\d{4}-/,
];

/** Words of an export that its file leaves out: the kind of thing, which the folder says. */
const kinds = new Set(
  ['api', 'command', 'lines', 'notes', 'of', 'page', 'part', 'route', 'words'].flatMap(stems),
);

test('a file with one export is named after it, and any other shares a word with one of its exports', () => {
  const files = sourceFiles('packages/*/src/**/*.ts').filter(
    ({ path }) => !exempt.some((one) => one.test(path)),
  );
  expect(files.length).toBeGreaterThan(400);
  expect(files.flatMap(foreignName)).toEqual([]);
});

test('each file that may be named after something else exists, and has no fitting name', () => {
  const names = sourceFiles('packages/*/src/**/*.ts').flatMap(foreignName);
  expect(exempt.filter((one) => !names.some((name) => one.test(name.split(':')[0] ?? '')))).toEqual(
    [],
  );
});

test.each([
  ['explain.ts', 'export function explainScore() {}', 'explain.ts: explainScore'],
  ['conflicts.ts', 'export async function refuseTaken() {}', 'conflicts.ts: refuseTaken'],
  ['money.ts', 'export const toUsd = 1;\nexport const toMicros = 2;', 'money.ts: toUsd, toMicros'],
])('a planted name is caught: %s', (path, text, fault) => {
  expect(foreignName({ path, text })).toEqual([fault]);
});

test.each([
  ['explain-score.ts', 'export function explainScore() {}'],
  ['crawls.ts', 'export async function readCrawls() {}'],
  ['invite.ts', 'export const inviteRoutes = [];'],
  ['store.ts', 'export interface Store {}\nexport function storeMoment() {}'],
  ['subject-words.ts', 'export const wordsMax = 1;\nexport function parseWords() {}'],
])('a fitting name is not reported: %s', (path, text) => {
  expect(foreignName({ path, text })).toEqual([]);
});

const declared =
  /^export (?:declare )?(?:async )?(?<kind>function\*?|class|const|interface|type) (?<name>\w+)/gm;

function foreignName({ path, text }: SourceFile): string[] {
  const exports = [...text.matchAll(declared)].map(({ groups }) => groups ?? {});
  const isType = (kind = '') => kind === 'interface' || kind === 'type';
  const names = exports.map(({ name = '' }) => name);
  const values = new Set(exports.filter(({ kind }) => !isType(kind)).map(({ name = '' }) => name));
  const own = stems(basename(path, '.ts').replace(/^all-|\.d$/g, ''));
  const fits = ([only = '', ...others]: readonly string[]) =>
    others.length === 0
      ? isNamedAfter(own, only) || names.some((name) => stems(name).join() === own.join())
      : names.some((name) => stems(name).some((stem) => own.includes(stem)));
  if (names.length === 0 || fits([...(values.size > 0 ? values : names)])) return [];
  return [`${path}: ${[...(values.size > 0 ? values : names)].join(', ')}`];
}

/** The export is the name itself, a verb with the name behind it, or the name and its kind. */
function isNamedAfter(own: readonly string[], exported: string): boolean {
  const stemmed = stems(exported);
  if (stemmed.join('') === own.join('')) return true;
  const hasAll = own.every(
    (stem) => stemmed.includes(stem) || exported.toLowerCase().includes(stem),
  );
  const rest = stemmed.slice(own.length);
  return hasAll && (stemmed[0] !== own[0] || rest.every((stem) => kinds.has(stem)));
}

/** The words of `read-edges` or `readEdges`, without the endings of plurals and verbs. */
function stems(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split('-')
    .map((word) => word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s|e)$/, ''));
}
