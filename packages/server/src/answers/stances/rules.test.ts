import { expect, test } from 'vitest';
import { createItemFinder } from './items.ts';
import { proveStance } from './rules.ts';

const subjects = ['Acme', 'Globex'].map((name, place) => ({
  id: name,
  type: place === 0 ? ('brand' as const) : ('competitor' as const),
  name,
  aliases: [{ alias: name, match: 'default' as const }],
  domains: [],
  paths: [],
}));

function prove(answer: string, id = 'Acme') {
  const range = { counts_from: null, counts_to: null };
  const found = createItemFinder(subjects)({ answer, asked: '', language: 'en', ...range }).get(id);
  return found && proveStance(answer, found);
}

test.each([
  ['Best for small teams: Acme', 'recommended_for', 'small teams', 'Best for small teams: Acme'],
  ['- **Best for gaming:** Acme Nitro V 15', 'recommended_for', 'gaming', 'Acme Nitro V 15'],
  [
    '1. Best for agencies: [Acme](https://acme.com)\n2. Globex',
    'recommended_for',
    'agencies',
    'Acme',
  ],
  ['Best overall: Acme', 'first_choice', null, 'Best overall: Acme'],
  ['Overall best: **Acme**', 'first_choice', null, 'Acme'],
  ['I could not find any information about Acme.', 'unknown_to_engine', null, 'Acme'],
  [
    'I have no reliable information about a company called "Acme".',
    'unknown_to_engine',
    null,
    'Acme',
  ],
  ['Ich habe keine Informationen über Acme.', 'unknown_to_engine', null, 'Acme'],
  ['No tengo información sobre Acme.', 'unknown_to_engine', null, 'Acme'],
])('a rule proves: %s', (answer, stance, purpose, words) => {
  const proof = prove(answer);
  expect(proof).toMatchObject({ stance, purpose });
  expect(answer).toContain(proof?.quote);
  expect(proof?.quote).toContain(words);
});

test.each([
  'Best for small teams: Acme alternatives such as Globex',
  'Best for small teams: Acme is not, Globex is',
  'Best for small teams: Acme. Avoid Acme for large ones.',
  'Best for small teams: Acme\n\nBest overall: Acme',
  'Best for small teams: not Acme',
  'Is it best for small teams: Acme or Globex?',
  'Not the best for small teams: Acme',
  'Best CRM: Acme',
  'Best for teams without Acme: Globex',
  'Best for Acme users: Globex and Acme',
  'I have no information about Acme’s prices, but it is a great tool.',
  'I have no information about Acme. It may be the best choice.',
  'There is no information about Globex; Acme is well known.',
  'Best for small teams: Acme, however it lacks reports.',
  'Best for small teams: Acme, which is a scam.',
  'Best for small teams: Acme. It is overpriced and slow.',
  'Best for small teams: Acme (discontinued), says a forum',
  'Until 2019 our ranking said: Best overall: Acme.',
  'Its own ads say: Best overall: Acme.',
  'Best for nobody: Acme',
  'Many users were given no information about Acme.',
  'The vendor published no data on Acme.',
  '### **Best Overall: Acme**\n\n* **Best for**: agencies',
])('no rule decides: %s', (answer) => {
  expect(prove(answer)).toBeUndefined();
});
