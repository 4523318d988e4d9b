import { expect, test } from 'vitest';
import { repositoryFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

/** A title in a log: that of its groups, then its own. */
interface Title {
  readonly groups: readonly string[];
  readonly own: string;
}

const prepositions =
  'about above across after against along among around as at before behind below beside between beyond by despite down during except for from in inside into like near of off on onto out outside over past per since through throughout to toward under until up upon via with within without';
const relatives =
  'that which who whom whose whoever whatever whichever what where when while if unless';
const verbs =
  'is are was has have does do may can must never gets says takes opens waits admits ends starts speaks writes reads keeps shows refuses refuse admit drop drops leaves moves counts calls goes gives puts prints draws finds fails passes';
const dependent = new Set(['of', 'that', 'who', 'whom', 'whose', 'which']);
const opening = new Set([...prepositions.split(' '), ...relatives.split(' ')]);
const bareVerb = new Set(verbs.split(' '));

test('at most 3 % of the test titles are fragments, groups and title read as one sentence', () => {
  const titles = repositoryFiles()
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap((file) => titlesOf(file).map((title) => ({ file, title })));
  expect(titles.length).toBeGreaterThan(1000);
  const fragments = titles
    .filter(({ title }) => isFragment(title))
    .map(({ file, title }) => `${file.path}: ${[...title.groups, title.own].join(' > ')}`);
  expect(fragments.length / titles.length, fragments.join('\n')).toBeLessThan(0.03);
});

test.each([
  ["test('of two keys one is refused', () => {", true],
  ["test('that was revoked opens nothing', () => {", true],
  ["test('is refused', () => {", true],
  ["test.each([\n  1,\n])('with %s nothing is read', () => {", true],
  ["describe('a key', () => {\n  test('of another workspace is refused', () => {", true],
  ["describe('a key', () => {\n  test('is refused once it is revoked', () => {", false],
  ["eachStore('a key', (open) => {\n  test('is shown once', () => {", false],
  ["test(\n  'without a key, nothing is read',\n  { timeout: 1 },", false],
  ["test('a revoked key is refused on the next request', () => {", false],
])('a planted title is judged: %j: %j', (text, expected) => {
  const titles = titlesOf({ path: 'planted.test.ts', text });
  expect(titles.map(isFragment)).toEqual([expected]);
});

/** A sentence may begin with a preposition if its main clause follows a comma. */
function isFragment({ groups, own }: Title): boolean {
  const first = /^[\w-]*/.exec(own)?.[0].toLowerCase() ?? '';
  if (dependent.has(first)) return true;
  if (opening.has(first)) return first !== 'what' && !own.includes(', ');
  return groups.length === 0 && bareVerb.has(first);
}

/** Reads titles by their indent, which the formatter keeps; `each` has its title behind its rows. */
function titlesOf({ text }: SourceFile): Title[] {
  const call =
    /^(?<indent> *)(?<kind>describe|each[A-Z]\w*|test)(?:\.\w+)*(?:\((?!['"`\n])[^]*?^\k<indent>(?! )[^\n]*\)|\((?!['"`\n])[^\n]*\))?\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\n])*)\k<quote>/gm;
  const open: Array<{ readonly indent: number; readonly title: string }> = [];
  return [...text.matchAll(call)].flatMap(({ groups }) => {
    const indent = groups?.['indent']?.length ?? 0;
    const title = groups?.['title'] ?? '';
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const outer = open.map((group) => group.title);
    if (groups?.['kind'] === 'test') return [{ groups: outer, own: title }];
    open.push({ indent, title });
    return [];
  });
}
