import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { stanceCodes } from './question.ts';
import { findQuote } from './quote.ts';
import { readVerdicts } from './read-verdict.ts';

const text = fc.string({
  unit: fc.constantFrom(...'Acme is good. ', '**', '\n', '# ', '“', '😀', '…', '|', 'é', '_'),
});

test('every quote is a substring of a piece that was shown, whatever the judge replies', () => {
  fc.assert(
    fc.property(text, text, fc.nat(40), fc.nat(40), (answer, quote, from, length) => {
      const piece = { start: Math.min(from, answer.length), end: 0 };
      piece.end = Math.min(answer.length, piece.start + length);
      const found = findQuote(answer, [piece], quote);
      if (found === undefined) return;
      expect(answer.slice(piece.start, piece.end)).toContain(found);
      expect(found).toMatch(/[\p{L}\p{N}]/u);
    }),
    { numRuns: cases(2000) },
  );
});

test('words of a piece are found with other white space and other Markdown', () => {
  fc.assert(
    fc.property(text, fc.nat(30), fc.nat(30), (answer, from, length) => {
      const words = answer.slice(from, from + length);
      if (!/[\p{L}\p{N}]/u.test(words) || /["“”.…]/u.test(words)) return;
      if (words.replace(/[\s*#|_]/g, '').length < 3) return;
      const whole = [{ start: 0, end: answer.length }];
      const changed = ` ${words.replaceAll('*', '').replace(/\s+/g, '  ')} `;
      expect(findQuote(answer, whole, changed)).toBeDefined();
    }),
    { numRuns: cases(1000) },
  );
});

const answer = 'Acme is **ideal for small\nteams**. Avoid Globex.';
const first = [{ start: 0, end: answer.indexOf(' Avoid') }];
const [best, purpose, , , , against] = stanceCodes('q').keys();

function read(reply: string) {
  const second = [{ start: answer.indexOf('Avoid'), end: answer.length }];
  return readVerdicts(reply, answer, { questionId: 'q', shown: [first, second] });
}

test('a verdict is read from a fence, with its code as text or number, as a list or an object', () => {
  const expected = [
    {
      stance: 'recommended_for',
      purpose: 'small teams',
      quote: 'ideal for small\nteams',
    },
    { stance: 'advised_against', purpose: null, quote: expect.stringMatching(/^Avoid Globex\.?$/) },
  ];
  for (const reply of [
    `{"1":[${purpose},"small teams","ideal for small teams"],"2":[${against},null,"Avoid Globex."]}`,
    `Sure:\n\`\`\`json\n{"1":["${purpose}","small teams","**ideal for small teams**"],"2":["${against}","x","“Avoid Globex…”"]}\n\`\`\``,
    `{"1":{"code":${purpose},"purpose":"small teams","quote":"ideal for small teams"},"2":{"code":${against},"quote":"Avoid Globex"}}`,
  ]) {
    expect(read(reply)).toEqual(expected);
  }
});

test.each([
  ['words of another subject', `{"1":[${best},null,"Avoid Globex"]}`],
  ['words that are not in the answer', `{"1":[${best},null,"Acme is the best"]}`],
  ['the name of a stance', '{"1":["first_choice",null,"ideal for small teams"]}'],
  ['a code of another question', '{"1":["100",null,"ideal for small teams"]}'],
  ['no quote', `{"1":[${best},null,null]}`],
  ['no JSON', 'Acme is recommended.'],
  ['broken JSON', `{"1":[${best},null,"ideal`],
])('a reply with %s gives no verdict', (_, reply) => {
  expect(read(reply)).toEqual([undefined, undefined]);
});

test('a purpose in other words than those of the answer is left out', () => {
  const reply = `{"1":[${purpose},"enterprise giants","ideal for small teams"]}`;
  expect(read(reply)[0]).toMatchObject({ stance: 'recommended_for', purpose: null });
});

test('a quote of megabytes of spaces is read in no time, and a few letters are no quote', () => {
  const whole = [{ start: 0, end: answer.length }];
  expect(findQuote(answer, whole, `x${' '.repeat(1_000_000)}x`)).toBeUndefined();
  expect(findQuote(answer, whole, 'A')).toBeUndefined();
  expect(findQuote(answer, whole, 'Acme is')).toBe('Acme is');
});

test('a purpose of which one word is not in the answer is left out', () => {
  const reply = `{"1":[${purpose},"small teamsters","ideal for small teams"]}`;
  expect(read(reply)[0]).toMatchObject({ purpose: null });
});
