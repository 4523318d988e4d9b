import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDetector } from './detect.ts';
import { guessLanguage } from './language/guess-language.ts';
import type { DetectableSubject } from './subject.ts';

/**
 * The cases are data: `cases.ndjson`, one a line. In `text`, `⟦id⟧` marks the first mention of a subject of
 * `case-subjects.json`; the mark is removed before detection. `linked` lists the subjects that are cited by
 * link alone, in order. No other subject may be cited. Positions and ranks are computed from the marks. `language` is
 * that of the prompt.
 */
const caseRow = z.strictObject({
  why: z.string(),
  text: z.string(),
  sources: z
    .array(z.union([z.string(), z.strictObject({ url: z.string(), title: z.string() })]))
    .default([]),
  linked: z.array(z.string()).default([]),
  language: z.string().optional(),
});

const subjectRows = z.record(
  z.string(),
  z.strictObject({
    type: z.enum(['brand', 'competitor']).default('competitor'),
    aliases: z.array(z.string()).default([]),
    exact: z.array(z.string()).default([]),
    patterns: z.array(z.string()).default([]),
    domains: z.array(z.string()),
  }),
);

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

const subjects = Object.entries(subjectRows.parse(JSON.parse(read('case-subjects.json')))).map(
  ([id, { type, aliases, exact, patterns, domains }]): DetectableSubject => ({
    id,
    type,
    aliases: [
      ...aliases.map((alias) => ({ alias, match: 'default' as const })),
      ...exact.map((alias) => ({ alias, match: 'exact' as const })),
      ...patterns.map((alias) => ({ alias, match: 'pattern' as const })),
    ],
    domains,
  }),
);

const cases = read('cases.ndjson')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => caseRow.parse(JSON.parse(line)));

const detect = createDetector(subjects);

interface ExpectedCitation {
  readonly position: number | null;
  readonly rank: number | null;
}

/** The text without its marks, and the expected detections. */
function unmark(marked: string, linked: readonly string[]) {
  const expected: Record<string, ExpectedCitation> = {};
  let text = '';
  let rank = 0;
  for (const [, id, rest = ''] of marked.matchAll(/(?:⟦([^⟧]+)⟧)?([^⟦]*)/gsu)) {
    if (id !== undefined) expected[id] = { position: [...text].length, rank: (rank += 1) };
    text += rest;
  }
  for (const id of linked) expected[id] = { position: null, rank: (rank += 1) };
  return { text, expected };
}

test('the table has at least 150 cases, each for a reason of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(150);
  expect(new Set(cases.map(({ why }) => why)).size).toBe(cases.length);
});

test.each(cases)(
  'detection finds the expected subjects: $why',
  ({ text: marked, sources, linked, language }) => {
    const { text, expected } = unmark(marked, linked);
    const pages = sources.map((source) => (typeof source === 'string' ? { url: source } : source));
    const cited = detect(text, pages, language).detections.filter(({ isCited }) => isCited);
    const found = Object.fromEntries(
      cited.map(({ subjectId, position, rank }): [string, ExpectedCitation] => [
        subjectId,
        { position, rank },
      ]),
    );
    expect(found).toEqual(expected);
  },
);

test('every subject has one detection, the brand first', () => {
  const { detections } = detect('Acme');
  expect(detections).toHaveLength(subjects.length);
  expect(detections[0]).toEqual({
    subjectId: 'acme',
    subjectType: 'brand',
    isCited: true,
    position: 0,
    rank: 1,
    alias: 'Acme',
    sentence: 'Acme',
    url: null,
  });
  expect(detections[1]).toMatchObject({ isCited: false, position: null, rank: null, url: null });
});

test('the evidence is the sentence, and the address that was linked', () => {
  const answer = 'First. We like **Acme** best!  Then [this](https://www.acme.com/a?b).\nLast';
  const [brand] = detect(answer).detections;
  expect(brand).toMatchObject({
    alias: 'Acme',
    sentence: 'We like **Acme** best!',
    url: 'https://www.acme.com/a?b',
  });
});

test('a long line is cut around the mention', () => {
  const [brand] = detect(`${'word '.repeat(500)}Acme ${'word '.repeat(500)}`).detections;
  expect(brand?.sentence?.length).toBeLessThan(500);
  expect(brand?.sentence).toMatch(/^….*Acme.*…$/);
});

test('each site of an answer is reported once, in order', () => {
  const answer = 'https://a.example.org https://blog.globex.co.uk https://b.example.org';
  expect(detect(answer, [{ url: 'https://g2.com/x' }]).sites).toEqual([
    'example.org',
    'globex.co.uk',
    'g2.com',
  ]);
});

test.each([
  ['he', 'מה הכי טוב?'],
  ['ar', 'ما هو الأفضل؟'],
  ['da', 'Hvad er den bedste bank til små virksomheder?'],
  ['nb', 'Hva er den beste banken for studenter?'],
  ['sv', 'Vilken bank är bäst för studenter?'],
  ['fi', 'Mikä on paras puhelin?'],
  ['hu', 'Melyik a legjobb telefon?'],
  ['pl', 'Jaki telefon jest najlepszy?'],
  ['cs', 'Jaký telefon je nejlepší pro seniory?'],
  ['tr', 'En iyi telefon hangisi?'],
  ['de', 'Welche Bank ist die beste?'],
  ['nl', 'Wat is de beste bank?'],
  ['fr', 'Quelle est la meilleure banque ?'],
  ['ru', 'Какой банк лучший для бизнеса?'],
  ['uk', 'Який банк найкращий і чому?'],
  ['ko', '가장 좋은 은행은?'],
])('a prompt that is said to be English is read as %s: %s', (language, prompt) => {
  expect(guessLanguage('en-US', prompt)).toBe(language);
  expect(guessLanguage('fa', prompt)).toBe('fa');
  expect(guessLanguage(undefined, prompt)).toBeUndefined();
});

test.each([
  'What is best?',
  'بهترین گزینه چیست؟',
  'Is Die Zeit the best newspaper in Germany?',
  'CRM',
  'Seznam vs Google',
  'Which of La Roche-Posay, Le Creuset and De Cecco is French?',
  'Най-добрата банка за бизнес?',
])(
  'a prompt that is said to be English stays so without proof of another language: %s',
  (prompt) => {
    expect(guessLanguage('en', prompt)).toBe('en');
  },
);
