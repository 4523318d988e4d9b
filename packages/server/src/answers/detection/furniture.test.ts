import { expect, test } from 'vitest';
import { wholeText } from '../../values/counted-range.ts';
import { createDetector } from './detect.ts';
import { findCountedRange } from './furniture.ts';
import { createMentionLister } from './list-mentions.ts';
import type { DetectableSubject } from './subject.ts';

const furniture =
  'AI responses may include mistakes. Learn moreThank youYour feedback helps Google improve. See our Privacy Policy.Share more feedbackReport a problemCloseTo save your searches,\u00a0update your settings';

test.each([
  ['all of it', furniture],
  ['its first line', 'AI responses may include mistakes. Learn more'],
  ['its lines apart', furniture.replaceAll(/(?=Thank you|Your|Share|Report|Close|To save)/g, '\n')],
  ['empty lines after it', `${furniture}\n\u00a0\n`],
])('the text of the page of Google AI Mode does not count: %s', (_, end) => {
  const answer = '\u{1f600} Try Acme.\u00a0';
  expect(findCountedRange('google_ai_mode', answer + end)).toEqual({
    counts_from: null,
    counts_to: 12,
  });
  expect(findCountedRange('google_ai_mode', end)).toEqual({ counts_from: null, counts_to: 0 });
});

test.each([
  ['of another engine', 'chatgpt', `Try Acme. ${furniture}`],
  ['that goes on after the quotation', 'google_ai_mode', `${furniture} is what Google writes.`],
  ['that quotes another line', 'google_ai_mode', 'Click on Report a problem.Close'],
  ['without it', 'google_ai_mode', 'Try Acme.'],
])('an answer %s counts whole', (_, engine, answer) => {
  expect(findCountedRange(engine, answer)).toEqual(wholeText);
});

test('only the end of an answer that quotes the text of the page does not count', () => {
  const answer = `Google says: ${furniture}. Ignore it.`;
  expect(findCountedRange('google_ai_mode', `${answer}${furniture}`)).toEqual({
    counts_from: null,
    counts_to: answer.length,
  });
});

// A pattern that goes back over what it has read would not come to an end here.
test('a long answer that almost ends like the text of the page counts whole', () => {
  const words = ' Learn more '.repeat(1_000_000);
  const answer = `AI responses may include mistakes.${words}${' '.repeat(1_000_000)}x`;
  expect(findCountedRange('google_ai_mode', answer)).toEqual(wholeText);
});

const subjects = ['Acme', 'Globex', 'Hooli'].map((name, index): DetectableSubject => ({
  id: name,
  type: index === 0 ? 'brand' : 'competitor',
  aliases: [{ alias: name, match: 'default' }],
  domains: [`${name.toLowerCase()}.com`],
}));

test('names and links outside the range are not found, and positions count in the whole text', () => {
  const head = '\u{1f600} Hooli AT&amp;T https://head.example/ ';
  const body = '\u{1f680} &amp; Globex, then Acme. Acme: https://globex.com/a ';
  const answer = `${head}${body}Acme Hooli https://hooli.com/ https://tail.example/`;
  const length = (text: string): number => Array.from(text).length;
  const range = { counts_from: length(head), counts_to: length(head + body) };
  const { detections, sites } = createDetector(subjects)(answer, [], 'en', range);
  const places = detections.map(({ subjectId, isCited, position, rank }) => [
    subjectId,
    isCited,
    position,
    rank,
  ]);
  expect(places).toEqual([
    ['Acme', true, length(answer.split('Acme')[0] ?? ''), 2],
    ['Globex', true, length(answer.split('Globex')[0] ?? ''), 1],
    ['Hooli', false, null, null],
  ]);
  expect(sites).toEqual(['globex.com']);
  expect(detections[0]?.sentence).toBe('\u{1f680} & Globex, then Acme.');
  const from = new Map(detections.map(({ subjectId, position }) => [subjectId, position ?? 0]));
  const lists = createMentionLister(subjects)(answer, {
    language: 'en',
    range,
    from,
    mentionsMax: 9,
  });
  const found = [...lists.values()].flatMap(({ mentions }) =>
    mentions.map(({ position, end }) => Array.from(answer).slice(position, end).join('')),
  );
  expect(found.toSorted()).toEqual(['Acme', 'Acme', 'Globex']);
});
