import { expect, test } from 'vitest';
import { createItemFinder, itemsMax } from './items.ts';

const subjects = ['Acme', 'Globex'].map((name, place) => ({
  id: name,
  type: place === 0 ? ('brand' as const) : ('competitor' as const),
  name,
  aliases: [{ alias: name, match: 'default' as const }],
  domains: [],
  paths: [],
}));

/** The items of a subject as they are shown. */
function shown(answer: string, id = 'Acme'): string[] {
  const range = { counts_from: null, counts_to: null };
  const found = createItemFinder(subjects)({ answer, asked: '', language: 'en', ...range }).get(id);
  return (found?.items ?? []).map((pieces) =>
    pieces.map(({ start, end }) => answer.slice(start, end).trim()).join(' | '),
  );
}

test('a heading that names a subject comes with the list below it, and nothing of the next', () => {
  const answer =
    '### 1. Acme\n\n* **Price:** $5\n* **Best for:** agencies\n\n### 2. Globex\n\n* **Price:** $9\n';
  expect(shown(answer)).toEqual(['### 1. Acme\n\n* **Price:** $5\n* **Best for:** agencies']);
  expect(shown(answer, 'Globex')).toEqual(['### 2. Globex\n\n* **Price:** $9']);
});

test('an entry comes with the heading over its list, and with its own bullets', () => {
  const answer =
    '## Best for agencies\n\nSome words.\n\n1. **Acme**\n- Cheap\n2. **Globex**\n- Dear\n';
  expect(shown(answer)).toEqual(['## Best for agencies | 1. **Acme**\n- Cheap']);
  expect(shown(answer, 'Globex')).toEqual(['## Best for agencies | 2. **Globex**\n- Dear']);
});

test('parts are found in a page that was written without line breaks', () => {
  const words =
    'It is liked for many reasons that are not worth repeating here, one by one, at length.';
  const answer = `Here are some tools. ${words} ${words} Best for agencies:Acme One:${words}Globex Two:${words}Best of the rest:Other:${words}`;
  expect(shown(answer)).toEqual([`Best for agencies:Acme One:${words}`]);
  expect(shown(answer, 'Globex')).toEqual([`Best for agencies: | Globex Two:${words}`]);
});

test('a long part is cut to its beginning and the sentences around the name', () => {
  const filler = 'Nothing of note is said. '.repeat(60);
  const [item = '', ...others] = shown(`# Tools\n\n${filler}Acme is one. ${filler}`);
  expect(others).toEqual([]);
  expect(item).toMatch(/^# Tools[^]* \| Nothing[^]*Acme is one\. Nothing/);
  expect(item.length).toBeLessThan(650);
});

test('at most three parts are shown: those about the subject, with a judgement, and warnings', () => {
  const answer = [
    '- Shop with Globex and Acme',
    '- Acme: a tool',
    '- Globex: works with Acme',
    '- Acme Pro: ideal for agencies',
    '- Globex: better than Acme',
    '- Some users: avoid Acme because of its security concerns',
  ].join('\n');
  const items = shown(answer);
  expect(items).toHaveLength(itemsMax);
  expect(items).toContain('- Acme Pro: ideal for agencies');
  expect(items.at(-1)).toContain('avoid Acme');
});
