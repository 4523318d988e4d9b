import { expect, test } from 'vitest';
import { repositoryFiles } from './source-files.ts';

/** Written in two halves, so that this file may hold them. */
const forbidden: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['a path of one machine', /(?<![\w.~-])\/(?:root|work\/\w+|home\/\w+|Users\/\w+)\b/],
  [
    "a registry's address",
    new RegExp(String.raw`\b(registry\.(npmjs|yarnpkg)|npm\.pkg\.github)\.`),
  ],
  ['a note to do something later', new RegExp(String.raw`\b(TO${'DO'}|FIX${'ME'})\b`)],
];

/** Words that a reader has to decode, each with the plain one. */
const undecoded: ReadonlyArray<readonly [what: string, pattern: RegExp]> = [
  ['write "depends on"', /\b(hangs? on (?!the (line|wire))|hanging on)\b/i],
  ['write "fix"', /\bmend(s|ed|ing)?\b/i],
  ['write "again"', /\banew\b/i],
  ['write "someone"', /\bwhoever\b/i],
  [
    'write "if"',
    /\b([Uu]ndefined|[Tt]hrows|[Rr]ejects|Null|False|Empty) where \w|[;,] (null|false|empty) where \w/,
  ],
  ['write "called with"', /\b[Tt]old (of|the|how|after|once|each)\b|\b(is|are) told\b/],
  ['write "distinguish"', /\btold apart\b|\bnobody can tell\b|\bunless it was told\b/i],
  [
    'write "isn\'t a"',
    /(?<!\b(there|here|what|this) )\b(is|are) no (?!longer|likelier|more\b|less|such|new|api\b|keys?\b)/i,
  ],
  ['write "unknown"', /\bnone of ours\b/i],
  ['name the thing', /\bwhat (was|is) (read|asked|known) (is|was|stays)\b/i],
  [
    'HTTP has responses',
    /\b(answer(s|ed)? (with )?[1-5]\d\d|the answer is [1-5]\d\d|answers kept ready|body of (an|the) answer)\b/i,
  ],
];

/**
 * A number before a noun in a string, perhaps with an adjective: `plural` writes both. Bounds are
 * never 1.
 */
const uncounted =
  /\$\{(?!limits\.|quota\.windowSeconds|quota\.requests|agentHits\.|plural|keys\.length|row\.requests)[^{}]+\} (?:(?!(?:of|from|and|at|if|in|has|have|are|is|who|where)\b)[a-z]+ )?(rows|runs|hits|lines|prompts|subjects|files|days|seconds|minutes|hours|keys|answers|actions|lists|addresses|requests|networks|users|texts|scores)\b(?!\.)/;

test('a number and its noun in a message are written by plural', () => {
  const files = repositoryFiles().filter(({ path }) => prose.test(path) && path.endsWith('.ts'));
  expect(
    files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) => (uncounted.test(line) ? [`${path}:${index + 1}`] : [])),
    ),
  ).toEqual([]);
});

test.each([
  ['`Judged ${runs} runs`', true],
  ['`${count(rows)} rows`', true],
  ['`${shortened} long texts`', true],
  ["`${plural(rows, 'row')}`", false],
  ['`${slug} has scores`', false],
  ['`at most ${limits.daysMax} days`', false],
])('a planted count is judged: %s', (line, expected) => {
  expect(uncounted.test(line)).toBe(expected);
});

/** Prose for readers: without the words of tests, of other people, and of pages and tools. */
const prose =
  /^(README|CONTRIBUTING|REVIEW)\.md$|^docs\/(?!decisions\/)[\w-]+\.md$|^packages\/(contract|mcp|server)\/src\/.*(?<!\.test|common-words)\.ts$/;

const binary = /\.(gz|zst|br|png|ico|woff2?|db)$/;

test('no file names a machine, a registry or work that was put off', () => {
  const files = repositoryFiles().filter(({ path }) => !binary.test(path));
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(({ path, text }) => found(text).map((what) => `${path}: ${what}`))).toEqual(
    [],
  );
});

test('no sentence has a word that a reader must decode', () => {
  const files = repositoryFiles().filter(({ path }) => prose.test(path));
  expect(files.length).toBeGreaterThan(200);
  expect(
    files.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          found(line, undecoded).map((what) => `${path}:${index + 1}: ${what}`),
        ),
    ),
  ).toEqual([]);
});

/** The first words of a comment, twice in a row. */
const repeatedStart = /([A-Z][\w'`, -]{10,}[.:]) \1/;

test('no comment says its first words twice', () => {
  const files = repositoryFiles().filter(({ path }) => /\.[cm]?[jt]s$/.test(path));
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.filter(({ text }) => repeatedStart.test(joinComments(text))).map(({ path }) => path),
  ).toEqual([]);
});

test.each([
  ['// Names with signs: Names with ' + 'signs: `E*TRADE`.', true],
  ['/**\n * The name of a model. The name\n * of a model. It is short.\n */', true],
  ['  // Every row has columns.\n  // Every row has columns.', true],
  ['// The name of a model. The name of a bot.', false],
])('a planted comment is judged: %j', (text, expected) => {
  expect(repeatedStart.test(joinComments(text))).toBe(expected);
});

test.each([
  ['The order hangs on the locale.', ['write "depends on"']],
  ['Mend the key.', ['write "fix"']],
  ['Counts the days anew.', ['write "again"']],
  ['Whoever reads it', ['write "someone"']],
  ['/** The host; undefined where it has none. */', ['write "if"']],
  ['/** Told of every row. */', ['write "called with"']],
  ['Rows are told apart by place.', ['write "called with"', 'write "distinguish"']],
  ['A candidate is no mention.', ['write "isn\'t a"']],
  ['A name that is none of ours', ['write "unknown"']],
  ['what was read stays', ['name the thing']],
  ['The server answers 503.', ['HTTP has responses']],
  ['There is no prompt of this id; it is no longer found. An answer names 500 brands.', []],
])('a planted sentence is judged: %s', (text, expected) => {
  expect(found(text, undecoded)).toEqual(expected);
});

test.each([
  ['"folder": "/wo' + 'rk/main"', ['a path of one machine']],
  ['see /ho' + 'me/somebody/notes', ['a path of one machine']],
  ['"resolved": "https://registry.npm' + 'js.org/a"', ["a registry's address"]],
  ['// TO' + 'DO: later', ['a note to do something later']],
  ['GET /works, a/root of it, https://example.com/home/', []],
])('a planted line is judged: %s', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

/** Joins the lines of each comment. */
function joinComments(text: string): string {
  return text.replaceAll(/\n *(?:\/\/|\*)(?!\/) */g, ' ');
}

function found(text: string, words = forbidden): string[] {
  return words.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
}
