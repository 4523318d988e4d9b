import { expect, test } from 'vitest';
import { repositoryFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';

const prepositions =
  'about above across after against along among around as at because before behind below beside between beyond by despite during except for from however in inside into like near of off on onto out outside over past per since through throughout to toward under until up upon via whatever wherever whichever with within without';
const relatives = 'that which who whom whose whoever what where when while if unless';
const verbs =
  'is are was were be been has have had does do did may can cannot could must never should would will admits admit allows asks becomes begins bills carries carry comes come covers depends depend differs draws drops ends empties explains fails finds fits fit follows gets gives goes go holds hold judges keeps leads leaves lets lives loads makes means moves needs notices opens prints puts reads refuses refuse removes replaces reports responds returns says say sees sends serves shows sorts speaks starts stays stay stops survives takes teaches teach tells works';
const participles =
  'asked called killed kept left made moved read refused shown sorted stored stopped written';
const following = 'again as at by for from in into on to with';
const dependent = new Set('of that who whom whose which it they those'.split(' '));
const opening = new Set([...prepositions.split(' '), ...relatives.split(' ')]);
const bareVerb = new Set(verbs.split(' '));
const bareParticiple = new RegExp(
  `^(?:${participles.replaceAll(' ', '|')}) (?:${following.replaceAll(' ', '|')})\\b`,
);

test('every test title makes sense alone in a log', () => {
  const titles = repositoryFiles()
    .filter(({ path }) => path.endsWith('.test.ts'))
    .flatMap((file) => titlesOf(file).map((title) => ({ path: file.path, title })));
  expect(titles.length).toBeGreaterThan(1000);
  expect(titles.filter(({ title }) => isFragment(title))).toEqual([]);
});

test.each([
  ["test('of two keys one is refused', () => {", true],
  ["test('that was revoked opens nothing', () => {", true],
  ["test('is refused', () => {", true],
  ["test('it waits for a list as any other address does', () => {", true],
  ["test('those of another workspace are refused', () => {", true],
  ["test('what was read is kept', () => {", true],
  ["test('killed with -9, it ends', () => {", true],
  ["test('%j', () => {", true],
  ["test('%s means %s', () => {", true],
  ["test('$name is refused', () => {", true],
  ["test.each([\n  1,\n])('with %s nothing is read', () => {", true],
  ["describe('a key', () => {\n  test('is refused once it is revoked', () => {", true],
  ["eachStore('a key', (open) => {\n  test('shows its end', () => {", true],
  ["test(\n  'without a key, nothing is read',\n  { timeout: 1 },", false],
  ["describe('a key', () => {\n  test('a revoked key is refused', () => {", false],
  ["test('read rows are counted', () => {", false],
  ["test('a key is refused: %s', () => {", false],
])('a planted title is judged: %j: %j', (text, expected) => {
  const titles = titlesOf({ path: 'planted.test.ts', text });
  expect(titles.map(isFragment)).toEqual([expected]);
});

/**
 * Two words beside the placeholders are too few. A sentence may begin with a preposition if its main
 * clause follows a comma.
 */
function isFragment(title: string): boolean {
  const first = /^[\w-]*/.exec(title)?.[0].toLowerCase() ?? '';
  const words = title.replaceAll(/%\w|\$\{.*?\}|\$\w+/g, '').match(/[\p{L}\p{N}]+/gu) ?? [];
  if (words.length < 3 || dependent.has(first) || first === 'what') return true;
  if (bareParticiple.test(title)) return true;
  return opening.has(first) ? !title.includes(', ') : bareVerb.has(first);
}

/** Reads the titles of tests. `test.each` has its title after its rows. */
function titlesOf({ text }: SourceFile): string[] {
  const call =
    /^(?<indent> *)(?:it|test)(?:\.\w+)*(?:\((?!['"`\n])[^\n]*\)|\((?!['"`\n])[^]*?^\k<indent>(?! )[^\n]*\))?\(\s*(?<quote>['"`])(?<title>(?:\\.|(?!\k<quote>)[^\n])*)\k<quote>/gm;
  return [...text.matchAll(call)].map(({ groups }) => groups?.['title'] ?? '');
}
