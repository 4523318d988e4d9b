import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { codePoint } from '../../../../../test/any-text.ts';
import { createDetector } from './detect.ts';
import { foldString } from './text/fold.ts';
import type { DetectableSubject } from './subject.ts';

const names = [
  ['Acme', 'Acme Cloud'],
  ['Globex', 'Demand IQ'],
  ['Nestlé', 'L’Oréal'],
  ['Ökobüro', 'Straße Sieben'],
  ['Сбербанк', 'Ёлка'],
  ['Οδύσσεια', 'Coca-Cola'],
];

const subjects = names.map((aliases, index): DetectableSubject => ({
  id: `subject-${index}`,
  type: index === 0 ? 'brand' : 'competitor',
  aliases: aliases.map((alias) => ({ alias, match: 'default' })),
  domains: [`company-${index}.com`],
}));

const detect = createDetector(subjects);
const allNames = names.flat();

/** Words of many scripts that no name is part of, emoji and marks among them. */
const filler = fc.constantFrom(
  'the',
  'best',
  'tool',
  'für',
  'лучший',
  'καλό',
  '最好的',
  '最高の',
  'ดีที่สุด',
  '가장',
  'أفضل',
  'טוב',
  '😀',
  '👩‍💻',
  '🇩🇪',
  'é',
  'ﬁne',
  '𝐁old',
  '—',
  '…',
  '(x)',
  '`code`',
  '|',
  '1.',
  '3.5',
  '\u200f',
  'a\u0301b',
  '*',
  '##',
  'ﾊﾟ',
  '각',
);
const piece = fc.oneof(
  { weight: 3, arbitrary: filler },
  { weight: 1, arbitrary: fc.constantFrom(...allNames) },
);
const blank = fc.constantFrom(' ', '\n', '\n\n', ', ', ' ** ', '\u00a0 ');
const answers = fc
  .array(fc.tuple(piece, blank), { maxLength: 30 })
  .map((pieces) => pieces.flat().join(''));

function whoIsCited(answer: string, among = detect): string[] {
  return among(answer)
    .detections.filter(({ isCited }) => isCited)
    .map(({ subjectId }) => subjectId);
}

const bare = (text: string): string => foldString(text).replace(/[\s*-]/g, '');

test('the offset points at the alias in the original text', () => {
  fc.assert(
    fc.property(answers, (answer) => {
      for (const { position, alias } of detect(answer).detections) {
        if (position === null || alias === null) continue;
        const rest = [...answer].slice(position).join('');
        expect(bare(rest).startsWith(bare(alias))).toBe(true);
      }
    }),
  );
});

test('unrelated text before moves every position by exactly its length', () => {
  fc.assert(
    fc.property(answers, fc.array(filler, { maxLength: 20 }), (answer, words) => {
      const before = `${words.join(' ')}\n\n`;
      const length = [...before].length;
      const moved = detect(before + answer).detections;
      for (const [index, one] of detect(answer).detections.entries()) {
        const { position, rank, isCited } = one;
        expect(moved[index]).toMatchObject({
          isCited,
          rank,
          position: position === null ? null : position + length,
        });
      }
    }),
  );
});

test('a text in character references cites the same, at the same places', () => {
  const isReferred = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(answers, isReferred, (answer, choices) => {
      const starts: number[] = [];
      let written = '';
      let length = 0;
      for (const character of answer) {
        starts.push(length);
        const spelt = choices.next().value === true ? `&#${character.codePointAt(0)};` : character;
        written += spelt;
        length += [...spelt].length;
      }
      const expected = detect(answer).detections.map((one) => ({
        ...one,
        position: one.position === null ? null : starts[one.position],
      }));
      expect(detect(written).detections).toEqual(expected);
    }),
  );
});

test('a text with backslashes before its punctuation cites the same, at the same places', () => {
  const isEscaped = fc.infiniteStream(fc.boolean());
  fc.assert(
    fc.property(answers, isEscaped, (answer, choices) => {
      const starts: number[] = [];
      let written = '';
      let length = 0;
      for (const character of answer) {
        starts.push(length);
        const isSign = /[!-/:-@[-`{-~]/.test(character) && choices.next().value === true;
        written += isSign ? `\\${character}` : character;
        length += isSign ? 2 : 1;
      }
      const expected = detect(answer).detections.map((one) => ({
        ...one,
        position: one.position === null ? null : starts[one.position],
      }));
      expect(detect(written).detections).toEqual(expected);
    }),
  );
});

test('case and accents never change who is cited', () => {
  const strange = fc.infiniteStream(
    fc.constantFrom('upper', 'lower', 'accent', 'apart', 'as it is'),
  );
  fc.assert(
    fc.property(answers, strange, (answer, ways) => {
      const changed = [...answer]
        .map((character) => changeCharacter(character, ways.next().value))
        .join('');
      expect(whoIsCited(changed)).toEqual(whoIsCited(answer));
    }),
  );
});

function changeCharacter(character: string, way: string | undefined): string {
  if (way === 'upper') return character.toUpperCase();
  if (way === 'lower') return character.toLowerCase();
  if (way === 'apart') return character.normalize('NFD');
  const isAccentable = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(character);
  return way === 'accent' && isAccentable ? `${character}\u0301` : character;
}

test('the order of the subjects and of their aliases changes nothing', () => {
  const shuffled = fc.shuffledSubarray(subjects, { minLength: subjects.length });
  fc.assert(
    fc.property(answers, shuffled, (answer, others) => {
      const reversed = others.map((one) => ({ ...one, aliases: one.aliases.toReversed() }));
      expect(createDetector(reversed)(answer)).toEqual(detect(answer));
    }),
  );
});

/**
 * A name and letters of its script. With such a letter before or after it, the name is another
 * word.
 */
const longerWords = fc.oneof(
  longer('Acme', 'abcxyzäßøμ'.slice(0, 9)),
  longer('Acme', '0123456789'),
  longer('Сбер', 'абвгдеёя'),
  longer('Οδος', 'αβγδεω'),
  longer('اسنپ', 'ابتثجکگ'),
  longer('וויקס', 'אבגדה'),
  longer('टाटा', 'कखगमन'),
  longer('삼성', '갈덧쥐픽'),
  longer('トヨタ', 'アカサマー'),
  longer('Տատա', 'աբգդե'),
  longer('ტატა', 'აბგდე'),
);

function longer(name: string, letters: string) {
  return fc.record({
    name: fc.constant(name),
    letter: fc.constantFrom(...letters),
    isBefore: fc.boolean(),
    hidden: fc.constantFrom('', '\u00ad', '&shy;'),
    around: fc.constantFrom(['', ''], [' ', ' '], ['(', ')'], ['**', '**'], ['“', '”']),
  });
}

test('a name never counts inside a longer word, in any script', () => {
  fc.assert(
    fc.property(
      longerWords,
      ({ name, letter, isBefore, hidden, around: [open = '', close = ''] }) => {
        const alone = createDetector([
          { id: 'a', type: 'brand', aliases: [{ alias: name, match: 'default' }], domains: [] },
        ]);
        const word = isBefore ? letter + hidden + name : name + hidden + letter;
        expect(whoIsCited(open + name + close, alone)).toEqual(['a']);
        expect(whoIsCited(open + word + close, alone)).toEqual([]);
      },
    ),
    { numRuns: cases(500) },
  );
});

test('no dictionary word of a script without spaces contains a mention and more text', () => {
  const words = new Intl.Segmenter('en', { granularity: 'word' });
  const characters = fc.constantFrom(...'小米粥手机大家对比亚迪我用的在好中国人トヨタは車ไลน์แมนดี');
  const name = fc.constantFrom('小米', '比亚迪', 'トヨタ', 'ไลน์แมน');
  fc.assert(
    fc.property(fc.array(fc.oneof(characters, name), { maxLength: 16 }), name, (parts, alias) => {
      const answer = parts.join('');
      const [found] = createDetector([
        { id: 'a', type: 'brand', aliases: [{ alias, match: 'default' }], domains: [] },
      ])(answer).detections;
      if (found === undefined || found.position === null) return;
      const start = found.position;
      const end = start + alias.length;
      for (const { index, segment } of words.segment(answer)) {
        const holds = index <= start && index + segment.length >= end;
        expect(holds && segment.length > alias.length).toBe(false);
      }
    }),
    { numRuns: cases(500) },
  );
});

test('any text at all is judged, and again the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (answer) => {
      const once = detect(answer);
      expect(detect(answer)).toEqual(once);
    }),
    { numRuns: cases(500) },
  );
});

test('a hostile megabyte takes linear time', { tags: ['slow'] }, () => {
  const unit = ['](', '[x](', 'a.', '://', ']:', 'x@', 'Acme Acme Cloud ', '\u0301', '(', ')', '_'];
  unit.push(
    '&amp;',
    '&#',
    '\\',
    '\\[',
    '[.]',
    'a[.]',
    'hxxp',
    'https://a.co',
    'https://a.co,',
    'x?u=https://a.co',
    'Demand\n> ',
    '>',
  );
  for (const text of unit) {
    const answer = text.repeat(Math.ceil(300_000 / text.length));
    expect(detect(answer).detections).toHaveLength(subjects.length);
  }
});
