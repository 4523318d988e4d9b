import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../test/any-text.ts';
import { proposalQuestion, readProposals } from './engine-proposals.ts';

const proposals = {
  spellings: ['ACME CRM'],
  competitors: [{ name: 'Globex', domain: 'globex.com' }, { name: 'Initech' }, 'Hooli', null],
  questions: [{ topic: 'Price', text: 'Which CRM is cheap?' }, { text: 7 }, { topic: 'Other' }],
};

test('proposals are read out of an answer with other text, and what cannot be used is left out', () => {
  const answer = `Sure!\n\`\`\`json\n${JSON.stringify(proposals)}\n\`\`\`\nGood luck.`;
  expect(readProposals(answer)).toEqual({
    spellings: ['ACME CRM'],
    competitors: [
      { name: 'Globex', domain: 'globex.com' },
      { name: 'Initech', domain: '' },
    ],
    questions: [{ topic: 'Price', text: 'Which CRM is cheap?' }],
  });
});

test.each(['', 'I cannot help with that.', '{', '{"a": 1}', '[]', '{"questions": "many"}'])(
  'the answer %j proposes nothing',
  (answer) => {
    expect(readProposals(answer)).toBeUndefined();
  },
);

test('hostile proposals are cut, counted and cannot act on a line', () => {
  const many = Array.from({ length: 500 }, (_, index) => `Name\n${index}${'x'.repeat(900)}\u202e`);
  const read = readProposals(JSON.stringify({ spellings: many }));
  expect(read?.spellings.length ?? 0).toBeLessThanOrEqual(8);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: codePoint })), (texts) => {
      const questions = texts.map((text) => ({ topic: text, text }));
      const { questions: kept } = readProposals(JSON.stringify({ questions })) ?? { questions: [] };
      for (const { text } of kept) {
        expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(text.length).toBeLessThanOrEqual(200);
      }
    }),
  );
});

test('the question is short enough to be asked, and quotes the brand', () => {
  const text = proposalQuestion({ brand: 'A"cme', domain: 'acme.com', language: 'de' });
  expect(text).toContain('"A\\"cme" (acme.com)');
  expect(text).toContain('in German');
  expect(text.length).toBeLessThan(1000);
});
