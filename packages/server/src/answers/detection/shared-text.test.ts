import { expect, test } from 'vitest';
import { findCountedRange } from './furniture.ts';
import { findSharedText } from './shared-text.ts';

const tail = 'Answers are made by a machine. Check them. Terms · Privacy · Help';
const answers = ['Take Acme.', 'Take Globex!', 'It depends', 'Neither, then'];

test('a head or tail that more than half of different answers share is found, without a broken word', () => {
  const texts = answers.map((text, index) => (index < 3 ? `${text}\n\n${tail}\n` : text));
  expect(findSharedText(texts, 'tail')).toEqual({ place: 'tail', text: tail, answers: 3, of: 4 });
  expect(findSharedText(texts, 'head')).toBeUndefined();
  const heads = ['better', 'best', 'bad'].map((text) => `${tail} \u{1f600} be${text}`);
  expect(findSharedText(heads, 'head')?.text).toBe(`${tail} \u{1f600}`);
});

test.each([
  ['half of the answers', answers.map((text, index) => (index < 2 ? `${text} ${tail}` : text))],
  ['39 characters', answers.map((text) => `${text} ${'x y '.repeat(9)}abc`)],
  ['one answer that came three times', [tail, tail, tail]],
  ['two answers', answers.slice(2).map((text) => `${text} ${tail}`)],
])('no text is named that is shared by only %s', (_, texts) => {
  expect(findSharedText(texts, 'tail')).toBeUndefined();
});

test('the texts of its engine are left out of an answer, the longest first', () => {
  const texts = ([tail, tail.slice(-42)] as const).flatMap((text) =>
    (['head', 'tail'] as const).map((place) => ({ engine: 'copilot', place, text })),
  );
  const range = (engine: string, answer: string) => findCountedRange(engine, answer, texts);
  const answer = `\u{1f600} Acme.\n${tail} \n`;
  expect(range('copilot', answer)).toEqual({ counts_from: null, counts_to: 8 });
  expect(range('copilot', `\n${tail} Acme`)).toEqual({ counts_from: 66, counts_to: null });
  expect(range('chatgpt', answer)).toEqual({ counts_from: null, counts_to: null });
  expect(range('copilot', `${answer}More.`)).toEqual({ counts_from: null, counts_to: null });
});
