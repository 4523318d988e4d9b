import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allSourceFiles, repository } from './source-files.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md'], { cwd: repository });
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')));

/** The options of each command by its name. */
const commandOptions = new Map(
  readFileSync(join(repository, 'docs/commands.md'), 'utf8')
    .split(/^#+ overheard (?=[a-z])/m)
    .slice(1)
    .map((section) => [
      section.split('\n', 1)[0] ?? '',
      new Set(section.match(/(?<![\w-])--[a-z][a-z-]+/g)),
    ]),
);
// Without a command it runs this one.
commandOptions.set('report', commandOptions.get('report show') ?? new Set());

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(repository, page), 'utf8');

  test('a document names only npm scripts that exist', () => {
    const names = [...text.matchAll(/\bnpm run (?<name>[\w:-]+)/g)].map(
      ({ groups }) => groups?.['name'] ?? '',
    );
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('a document names only commands and options that exist', () => {
    expect(unknownCommands(text)).toEqual([]);
  });

  test('a document names only files that exist', () => {
    const paths = [
      ...text.matchAll(/`(?<path>(?:packages|docs|test|scripts|bench|examples)\/[\w./-]+)`/g),
    ]
      .map(({ groups }) => groups?.['path'] ?? '')
      // `npm run build` makes it.
      .filter((path) => !/\/dist(\/|$)/.test(path));
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  });

  test('a document links only to pages and sections that exist', () => {
    const links = [...text.matchAll(/\]\((?!https?:|mailto:)(?<link>[^)\s]+)\)/g)].map(
      ({ groups }) => groups?.['link'] ?? '',
    );
    expect(links.filter((link) => !leadsSomewhere(link, { page, text }))).toEqual([]);
  });
});

test('the architecture names only files and folders of the server that exist', () => {
  const page = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
  expect(missingPlaces('`api/app.ts`, `planted.ts` and `planted/place`')).toEqual([
    'planted.ts',
    'planted/place',
  ]);
  expect(missingPlaces(page)).toEqual([]);
});

/** Paths below the source of the server, and bare names of its files. */
function missingPlaces(text: string): string[] {
  const root = 'packages/server/src/';
  const files = allSourceFiles(`${root}**/*.ts`).map(({ path }) => path.slice(root.length));
  const places = [...text.matchAll(/`(?<place>[a-z-]+(?:\/[a-z-]+)*(?:\/[a-z-]+|\.ts))`/g)]
    .map(({ groups }) => groups?.['place'] ?? '')
    .filter((place) => !existsSync(join(repository, place)));
  return places.filter(
    (place) =>
      !files.some((file) => `/${file}`.endsWith(`/${place}`) || file.startsWith(`${place}/`)),
  );
}

test.each([
  ['`overheard key create --expires 90d`', []],
  ['`overheard keys create`', ['overheard keys']],
  ['`overheard key make`', ['overheard key make']],
  ['overheard key create --expire 90d', ['overheard key create --expire']],
])('a planted command is judged: %s', (text, unknown) => {
  expect(unknownCommands(text)).toEqual(unknown);
});

/** The commands and options in a text that docs/commands.md, which is generated, does not have. */
function unknownCommands(text: string): string[] {
  const calls = text.matchAll(
    /(?<mark>`?)\boverheard (?<words>[a-z][a-z-]*(?: [a-z][a-z-]*)?)(?<rest>[^`|;&\n]*)/g,
  );
  return [...calls].flatMap(({ groups: { mark = '', words = '', rest = '' } = {} }) => {
    const [group = ''] = words.split(' ');
    if (!commandOptions.has(group)) return mark === '' ? [] : [`overheard ${group}`];
    const isGroup = [...commandOptions.keys()].some((name) => name.startsWith(`${group} `));
    const name = commandOptions.has(words) || isGroup ? words : group;
    const options = commandOptions.get(name);
    if (options === undefined) return [`overheard ${name}`];
    const given = [...rest.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option);
    return given
      .filter((option) => !options.has(option))
      .map((option) => `overheard ${name} ${option}`);
  });
}

test('CONTRIBUTING.md names only expressions that a source file has', () => {
  const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
  const sources = allSourceFiles('packages/*/src/**/*.ts').map((file) => file.text);
  expect(expressionsIn('call `context.runner.add` twice, in `a.ts`')).toEqual([
    'context.runner.add',
  ]);
  const expressions = expressionsIn(text);
  expect(expressions.length).toBeGreaterThan(0);
  expect(
    expressions.filter((expression) => !sources.some((source) => source.includes(expression))),
  ).toEqual([]);
});

test('the glossary has each word once, in order', () => {
  const text = readFileSync(join(repository, 'docs/glossary.md'), 'utf8');
  const words = [...text.matchAll(/^\| (?<word>[a-z][a-z ]*[a-z]) +\|/gm)].map(
    ({ groups }) => groups?.['word'] ?? '',
  );
  expect(words.length).toBeGreaterThan(30);
  expect(words.slice(1)).toEqual([...new Set(words.slice(1))].toSorted());
});

test('a recipe that names files of a series is checked by the files of that series', () => {
  expect(isThere('packages/contract/src/endpoints/NAME.ts')).toBe(true);
  expect(isThere('packages/contract/src/points/NAME.ts')).toBe(false);
});

test('a link to nowhere is noticed', () => {
  const page = 'CONTRIBUTING.md';
  const text = '## One\n';
  expect(leadsSomewhere('#one', { page, text })).toBe(true);
  expect(leadsSomewhere('LICENSE', { page, text })).toBe(true);
  expect(leadsSomewhere('docs/errors.md#rate_limited', { page, text })).toBe(true);
  expect(leadsSomewhere('#two', { page, text })).toBe(false);
  expect(leadsSomewhere('docs/nowhere.md', { page, text })).toBe(false);
  expect(leadsSomewhere('docs/errors.md#two', { page, text })).toBe(false);
});

function leadsSomewhere(link: string, { page, text }: { page: string; text: string }): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? undefined : join(repository, dirname(page), path);
  if (file !== undefined && !existsSync(file)) return false;
  if (anchor === undefined) return true;
  return anchors(file === undefined ? text : readFileSync(file, 'utf8')).includes(anchor);
}

/** Chains of two or more properties, such as `context.runner.add`. */
function expressionsIn(text: string): string[] {
  return [...text.matchAll(/`(?<expression>[a-z]\w*(?:\.[a-z]\w*){2,})[(`]/gi)].map(
    ({ groups }) => groups?.['expression'] ?? '',
  );
}

/** As GitHub makes them of headings. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (?<heading>.+)$/gm)].map(({ groups }) =>
    (groups?.['heading'] ?? '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether a file is there; of a series (`FLOW`, `NAME`, `NNNN`) at least one. */
function isThere(path: string): boolean {
  return globSync(path.replaceAll(/FLOW|NAME|NNNN/g, '*'), { cwd: repository }).length > 0;
}
