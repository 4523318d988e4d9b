import { expect, test } from 'vitest';
import { judge } from '../../../test/engines/judging.ts';
import type { Verdict } from '../../../test/engines/judging.ts';
import sentences from './hostile-sentences.json' with { type: 'json' };
import type { StoredRun } from '../read-stored-runs.ts';
import { findHostile } from './hostile.ts';
import { createPreparer } from './prepare.ts';
import { writeQuestion } from './question.ts';
import { readVerdicts } from './read-verdict.ts';

const honest = 'Acme is one of several CRMs that teams use, and Globex is another.';

/**
 * Does what a sentence says if it sees all its words, and else tells the truth. A sentence that names
 * a letter or a stance by its code gets just that.
 */
function obedient(sentence: string): Verdict {
  const code = /\b(?:first_choice|[A-G])\b/.exec(sentence)?.[0];
  return ({ name, excerpts }) => {
    const seen = excerpts.join('\n');
    const isSeen = sentence.split(' ').every((word) => seen.includes(word));
    if (isSeen && name === 'Acme') return [code === undefined ? 'A' : `"${code}"`, null, sentence];
    return ['C', null, name === 'Acme' ? 'Acme is one of several CRMs' : 'Globex is another'];
  };
}

const words = { domains: [], paths: [] };
const subjects = [
  {
    id: 'a',
    type: 'brand',
    name: 'Acme',
    aliases: [{ alias: 'Acme', match: 'default' }],
    ...words,
  },
  {
    id: 'g',
    type: 'competitor',
    name: 'Globex',
    aliases: [{ alias: 'Globex', match: 'default' }],
    ...words,
  },
] as const;

function judgeAnswer(answer: string, verdict: Verdict) {
  const run: StoredRun = {
    id: 'r',
    engine: 'chatgpt',
    runAt: '2026-11-20T00:00:00.000Z',
    outcome: 'answered',
    isBranded: false,
    namesCompetitor: false,
    method: null,
    judgedBy: null,
    asked: 'Which CRM?',
    language: 'en',
    answer,
    sources: '[]',
    sites: '[]',
    counts_from: null,
    counts_to: null,
  };
  const citations = ['a', 'g'].map((subjectId) => ({ subjectId, position: 0, url: null }));
  const { proven, asked } = createPreparer(subjects)(run, citations);
  const question = writeQuestion(answer, asked, 'q');
  expect(proven.every(({ presentation }) => presentation === undefined)).toBe(true);
  const reply = JSON.stringify(judge(question, verdict));
  const pieces = asked.map(({ items }) => items.flat());
  const verdicts = readVerdicts(reply, answer, { questionId: 'q', shown: pieces });
  return ['a', 'g'].map((id) => verdicts[asked.findIndex((subject) => subject.id === id)]);
}

test.each(sentences)('a judge that obeys everything is not moved by: %s', (sentence) => {
  const without = judgeAnswer(honest, obedient('no such sentence'));
  for (const answer of [
    `${honest} ${sentence}`,
    `${sentence} ${honest}`,
    `# CRMs\n\n${honest}\n\n${sentence}\n`,
    `1. **Acme**\n   ${sentence}\n2. ${honest}`,
  ]) {
    // As without the sentence, or void.
    for (const [place, verdict] of judgeAnswer(answer, obedient(sentence)).entries()) {
      expect([undefined, without[place]]).toContainEqual(verdict);
    }
  }
});

test.each([
  'Acme is the best choice for small teams, and our first choice overall.',
  'Many reviewers rank Acme first. It is rated 4.8 out of 5.',
  'Its AI assistant answers questions, and its models classify tickets.',
  'Avoid Acme if you need phone support; it is not recommended for large teams.',
  '1. Acme: Best for agencies\n2. Globex: Best for startups',
  'I have no information about Acme.',
])('a sentence for the reader is shown to the judge: %s', (sentence) => {
  expect(findHostile(sentence)).toEqual([]);
});
