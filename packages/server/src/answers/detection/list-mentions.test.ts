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
  ['a typographic apostrophe', 'MAILCHIMP’S plan.', ['MAILCHIMP’S']],
  ['a possessive behind a digit', "Office 365's price.", ["Office 365's"]],
  ['a Turkish ending behind an apostrophe', "Acme'nin fiyatı.", ["Acme'nin"]],
  ['the name alone in quotation marks', "'Acme' and “Mailchimp”", ['Acme', 'Mailchimp']],
  ['an apostrophe without letters', "Mailchimp' plan", ['Mailchimp']],
  ['another spelling', 'demand-iq or DemandIQ', ['demand-iq', 'DemandIQ']],
  ['what a reader sees of an escape', String.raw`AT\&T’s network`, ['AT&T’s']],
  ['what a reader sees of a reference', 'AT&amp;T is', ['AT&T']],
  ['a name over two lines on one', 'Demand\nIQ is', ['Demand IQ']],
  ['a Korean particle behind Hangul', '삼성은 좋고 쿠쿠전자는 비싸다.', ['삼성은', '쿠쿠전자는']],
  ['no Korean particle behind Latin', 'Acme는 좋다.', ['Acme']],
  ['no Chinese behind Latin', 'Acme的产品', ['Acme']],
  ['no Chinese behind Chinese', '华为的手机', ['华为']],
  ['no Japanese behind Japanese', 'ソニーの製品。ソニーグループ', ['ソニー', 'ソニー']],
  ['an ending without Markdown behind it', "_Acme's_ and __삼성은__", ["Acme's", '삼성은']],
  ['an ending without Chinese behind it', "Acme's的产品", ["Acme's"]],
  ['no word behind a hyphen', 'Acme-based tools', ['Acme']],
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

test(
  'a megabyte of mentions is counted whole and shown in part, in linear time',
  { tags: ['long'] },
  () => {
    const answer = "Acme's ".repeat(150_000);
    const options = { language: 'en', from: new Map([['Acme', 0]]), mentionsMax: 3 };
    const start = process.cpuUsage();
    const list = listMentions(answer, options).get('Acme');
    // Time of the processor: how busy the machine is doesn't matter.
    expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
    expect(list?.total).toBe(150_000);
    expect(list?.mentions.map(({ position }) => position)).toEqual([0, 7, 14]);
  },
);

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
