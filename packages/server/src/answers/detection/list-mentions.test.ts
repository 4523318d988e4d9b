import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { createDetector } from './detect.ts';
import { createMentionLister } from './list-mentions.ts';
import type { DetectableSubject } from './subject.ts';

const names = [
  'Acme',
  'Mailchimp',
  'AT&T',
  'Demand IQ',
  '삼성',
  '쿠쿠',
  '华为',
  'ソニー',
  'Office 365',
];
const subjects = names.map((name, index): DetectableSubject => ({
  id: name,
  type: index === 0 ? 'brand' : 'competitor',
  aliases: [{ alias: name, match: 'default' }],
  domains: [`company-${index}.com`],
}));
const detect = createDetector(subjects);
const listMentions = createMentionLister(subjects);

function textsOf(answer: string, language?: string): string[] {
  const { detections } = detect(answer, [], language);
  const from = new Map(
    detections.flatMap(({ subjectId, position }) =>
      position === null ? [] : [[subjectId, position] as const],
    ),
  );
  const lists = listMentions(answer, { language, from, mentionsMax: 100 });
  return [...lists.values()].flatMap(({ mentions }) => mentions.map(({ text }) => text));
}

test.each([
  ['an English possessive', "Mailchimp's free plan.", ["Mailchimp's"]],
  ['a Turkish ending behind an apostrophe', "Acme'nin fiyatı.", ["Acme'nin"]],
  ['the name alone in quotation marks', "'Acme' and “Mailchimp”", ['Acme', 'Mailchimp']],
  ['an apostrophe without letters', "Mailchimp' plan", ['Mailchimp']],
  ['what a reader sees of an escape', String.raw`AT\&T’s network`, ['AT&T’s']],
  ['what a reader sees of a reference', 'AT&amp;T is', ['AT&T']],
  ['a name over two lines on one', 'Demand\nIQ is', ['Demand IQ']],
  ['a Korean particle behind Hangul', '삼성은 좋고 쿠쿠전자는 비싸다.', ['삼성은', '쿠쿠전자는']],
  ['no Korean particle behind Latin', 'Acme는 좋다.', ['Acme']],
  ['no Chinese behind Chinese', '华为的手机', ['华为']],
  ['an ending without Markdown behind it', "_Acme's_ and __삼성은__", ["Acme's", '삼성은']],
])('the text of a mention is %s', (_, answer, texts) => {
  expect(textsOf(answer)).toEqual(texts);
});

test("the text of a mention has the ending of the prompt's language, and of no other", () => {
  expect(textsOf('Acmes Suche', 'de')).toEqual(['Acmes']);
  expect(textsOf('Acmes Suche', 'en')).toEqual([]);
  expect(textsOf('Mailchimpteki fiyat', 'tr')).toEqual(['Mailchimpteki']);
  expect(textsOf('Acme super', 'de')).toEqual(['Acme']);
});

test('the text of a pattern that matches much is cut', () => {
  const pattern = { alias: '(?s)Acme.*', match: 'pattern' } as const;
  const list = createMentionLister([{ id: 'a', type: 'brand', aliases: [pattern], domains: [] }]);
  const answer = `Acme ${'😀 '.repeat(5000)}`;
  const options = { language: 'en', from: new Map([['a', 0]]), mentionsMax: 10 };
  const text = list(answer, options).get('a')?.mentions[0]?.text ?? '';
  expect(text).toMatch(/^Acme (😀 )+(😀)?…$/u);
  expect(text.length).toBeLessThanOrEqual(200);
});

test('the first listed mention is the detected one, whatever the text', () => {
  const pieces = fc.constantFrom(
    ...names,
    "'s",
    '’in',
    ' ',
    '\n',
    '。',
    '은',
    '的',
    '😀',
    '&amp;',
    '\\',
    '_',
    '*',
    'https://company-1.com/Acme',
    'Company-1.com',
  );
  const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(texts, fc.constantFrom('en', 'de', 'tr', 'ko'), (answer, language) => {
      for (const { subjectId, position, sentence, alias } of detect(answer, [], language)
        .detections) {
        if (position === null) continue;
        const from = new Map([[subjectId, position]]);
        const list = listMentions(answer, { language, from, mentionsMax: 100 }).get(subjectId);
        expect(list?.mentions[0]).toMatchObject({ position, sentence });
        expect(list?.mentions[0]?.text.length).toBeGreaterThanOrEqual((alias ?? '').length - 1);
        const positions = list?.mentions.map((mention) => mention.position) ?? [];
        expect(positions).toEqual([...new Set(positions)].toSorted((left, right) => left - right));
      }
    }),
    { numRuns: cases(300) },
  );
});
