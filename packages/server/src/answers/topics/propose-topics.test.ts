import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { parseTag } from '../../values/tag.ts';
import { proposeTopics } from './propose-topics.ts';
import type { TopicPrompt } from './propose-topics.ts';

const aPrompt = (text: string, given: Partial<TopicPrompt> = {}): TopicPrompt => ({
  id: text,
  text,
  language: 'en',
  topic: null,
  pages: new Map(),
  ...given,
});
const prompts = (texts: readonly string[], given: Partial<TopicPrompt> = {}) =>
  texts.map((text) => aPrompt(text, given));

const tents = ['What is a good family tent?', 'family tents for camping', 'best family tent'];
const boots = ['Which hiking boots fit wide feet?', 'hiking boots wide feet', 'Best wide boots'];
const others = ['How long do batteries last?', 'Who sells kayaks in Wales?', 'Is wool warm?'];

test('prompts that share rare words are one topic with a name of these words, and others have none', () => {
  const proposed = proposeTopics(prompts([...tents, ...boots, ...others]));
  expect(proposed.map(({ name, promptIds }) => [name, promptIds.toSorted()])).toEqual([
    ['Hiking boots wide feet', boots.toSorted()],
    ['Family tent', tents.toSorted()],
  ]);
});

test('words are compared without their endings, and split in languages without spaces', () => {
  const ofLanguage = (language: string, texts: readonly string[]) =>
    proposeTopics(prompts(texts, { language })).map(({ name, promptIds }) => [
      name,
      promptIds.length,
    ]);
  const german = ['Welches Girokonto ist kostenlos?', 'Kostenlose Girokonten', 'Wer baut Häuser?'];
  expect(ofLanguage('de', [...german, 'Was kostet Strom?'])).toEqual([
    ['Kostenlose Girokonten', 2],
  ]);
  const japanese = ['炊飯器のおすすめを教えて', '安い炊飯器はどれですか', '軽い自転車', '冬の布団'];
  expect(ofLanguage('ja', japanese)).toEqual([['炊飯器', 2]]);
  const korean = ['노트북은 무엇이 좋나요?', '가벼운 노트북을 추천', '냉장고', '세탁기 소음'];
  expect(ofLanguage('ko', korean)).toEqual([['노트북을', 2]]);
});

test('prompts whose answers cite the same pages are one topic without a shared word', () => {
  const pages = new Map([
    ['https://a.example/notebooks', 3],
    ['https://b.example/top', 2],
  ]);
  const same = ['Light notebook?', 'Portable computer for students'].map((text) =>
    aPrompt(text, { pages }),
  );
  const proposed = proposeTopics([...same, ...prompts([...tents, ...others])]);
  expect(proposed.map(({ promptIds }) => promptIds.length)).toEqual([3, 2]);
  expect(proposed.at(-1)?.promptIds.toSorted()).toEqual(same.map(({ id }) => id));
});

test('prompts that have nothing in common but the usual word and pages of all are no topic', () => {
  const pages = new Map([
    ['https://a.example/crm', 9],
    ['https://b.example/crm', 9],
  ]);
  const words = ['agencies', 'charities', 'lawyers', 'recruiters', 'farms', 'schools', 'hotels'];
  const same = words.map((word) => aPrompt(`Which CRM for ${word}?`, { pages }));
  const bare = ['Which CRM is best?', 'What is a CRM?', 'Why use a CRM?'].map((text) =>
    aPrompt(text, { pages }),
  );
  expect(proposeTopics([...same, ...bare, ...prompts(others)])).toEqual([]);
});

test('a prompt like those of a topic is proposed for it, and two topics are never joined', () => {
  const [first = '', second = '', third = ''] = tents;
  const proposed = proposeTopics([
    aPrompt(first, { topic: 'Camping' }),
    aPrompt(second, { topic: 'Outdoors' }),
    aPrompt(third),
    ...prompts(others),
  ]);
  expect(proposed).toEqual([
    { name: expect.stringMatching(/^(Camping|Outdoors)$/), isKnown: true, promptIds: [third] },
  ]);
});

test('each proposed name can be a tag, also one of long words that is taken', () => {
  const words = 'Donaudampfschiffahrtsgesellschaft Binnenschifffahrtskapitän Patent';
  const taken = aPrompt('What is wool?', { topic: words.slice(0, 59) });
  const proposed = proposeTopics([
    taken,
    ...prompts([`${words}?`, `Which ${words}?`]),
    ...prompts(boots),
  ]);
  const names = proposed.map(({ name }) => name);
  expect(names).toContain('Donaudampfschiffahrtsgesellschaft Binnenschifffahrtskapitä 2');
  expect(names.map(parseTag)).toEqual(names);
});

const texts = fc
  .array(fc.constantFrom('tent', 'tents', 'boot', 'wool', 'canoe', '炊飯器', 'the', '4k'), {
    maxLength: 5,
  })
  .map((words) => words.join(' '));
const anyPrompts = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    text: texts,
    language: fc.constantFrom('en', 'ja'),
    topic: fc.constantFrom(null, null, 'A', 'B'),
    pages: fc
      .array(fc.constantFrom('https://a/', 'https://b/', 'https://c/'), { maxLength: 3 })
      .map((urls) => new Map(urls.map((url) => [url, 2]))),
  }),
  { selector: ({ id }) => id, maxLength: 20 },
);

test('the order of the prompts changes nothing, and each prompt without a topic is in at most one', () => {
  fc.assert(
    fc.property(anyPrompts, (given) => {
      const proposed = proposeTopics(given);
      expect(proposeTopics(given.toReversed())).toEqual(proposed);
      const ids = proposed.flatMap(({ promptIds }) => promptIds);
      expect(new Set(ids).size).toBe(ids.length);
      const free = given.filter(({ topic }) => topic === null).map(({ id }) => id);
      expect(free).toEqual(expect.arrayContaining(ids));
    }),
    { numRuns: cases(200) },
  );
});
