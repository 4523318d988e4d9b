import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../../../test/cases.ts';
import { codePoint } from '../../../../../../test/any-text.ts';
import { newContext, newTab, openBrowser } from '../../../../test/browsers/browser.ts';
import { answerMarkdown } from '../../markup/answer-markdown.ts';
import { answerText } from '../../markup/answer-text.ts';
import type { TextMark } from '../../markup/answer-text.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

const hostile = [
  '<script>alert(1)</script>',
  '</pre><img src=x onerror=alert(1)>',
  '&lt;&amp;amp;&#13;',
  '\r\n',
  '\r',
  '\n',
  '\n\n',
  '\t',
  '\u0001\u001b[31m',
  '\u202e',
  '\u2066',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\ufffe',
  '\u{1f469}\u200d\u{1f4bb}',
  'e\u0301',
  '\u05d0\u05d1 \u0627\u0644',
  '**Acme**',
  '# Acme\n',
  '- [Acme](https://acme.com/a_b_c?d=*e*)',
  '| a | b |\n|---|---|\n',
  '```js\nlet a;\n```',
  'snake_case _word_ ~~x~~',
  '"\'',
] as const;

const texts = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: codePoint, maxLength: 8 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed());

/** Marks anywhere, also overlapping, behind the end and without an end. */
const marks = fc.array(
  fc.record({
    position: fc.nat(60),
    length: fc.option(fc.nat(12)),
    isBrand: fc.boolean(),
    rank: fc.option(fc.integer({ min: 1, max: 9 })),
  }),
  { maxLength: 6 },
);

const ranges = fc.record({ counts_from: fc.option(fc.nat(60)), counts_to: fc.option(fc.nat(60)) });

function toMarks(found: ReadonlyArray<Omit<TextMark, 'end'> & { length: number | null }>) {
  return found.map(({ length, ...mark }) => ({
    ...mark,
    end: length === null ? null : mark.position + length,
  }));
}

/** The text of an element as a parser reads it. */
function textOf(markup: string): string {
  return markup
    .replace(/^<pre [^>]*>\n/, '')
    .replace(/<\/pre>$/, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:amp|lt|gt|quot|#39|#13);/g, (entity) => entities[entity] ?? entity);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#13;': '\r',
};

test('the text of the element is the answer, character by character, whatever is marked in it', () => {
  fc.assert(
    fc.property(texts, marks, ranges, (text, found, range) => {
      expect(textOf(answerText(text, toMarks(found), 'en', range).text)).toBe(text);
    }),
    { numRuns: cases(2000) },
  );
});

test('a browser reads the same text, and no part of it becomes an element or a script', async () => {
  const samples = fc.sample(fc.tuple(texts, marks), { numRuns: cases(150), seed: 7 });
  const { page } = await newTab(await newContext(browser));
  const all = samples.map(([text, found]) => answerText(text, toMarks(found), 'en').text);
  await page.setContent(`<!doctype html><title>x</title>${all.join('')}`);
  const read = await page.evaluate(
    `[...document.querySelectorAll('pre')].map((each) => [each.textContent, [...each.querySelectorAll('*')].map((one) => one.localName).join(' ')])`,
  );
  expect(read).toEqual(
    samples.map(([text]) => [text, expect.stringMatching(/^(?:(?:mark|span) ?)*$/)]),
  );
});

test('places are code points: behind astral characters and in right-to-left text', () => {
  const markedIn = (text: string, position: number, end: number | null) =>
    /<mark[^>]*>(.*?)<\/mark>/s.exec(
      answerText(text, [{ position, end, isBrand: true, rank: 1 }], 'he').text,
    )?.[1];
  expect(markedIn('\u{1f600}\u{1f600} Acme!', 3, 7)).toBe('Acme');
  expect(markedIn('\u05d0\u05d1 \u05d2\u05d3 Acme', 3, 5)).toBe('\u05d2\u05d3');
  expect(markedIn('\u{20000}\u{20001} x', 0, 2)).toBe('\u{20000}\u{20001}');
  expect(markedIn('Try Acme, then', 4, null)).toBe('Acme,');
  expect(markedIn('Acme\nCRM', 0, 8)).toBe('Acme\nCRM');
});

const all = { counts_from: null, counts_to: null };

test('a link of an answer leads to http and https alone', () => {
  for (const target of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/w/demo/']) {
    const { text: markup } = answerMarkdown(`[x](${target}) <a href="${target}">`, [], 'en', all);
    expect([target, /<a\b/.test(markup)]).toEqual([target, false]);
  }
});

test('no answer puts another element or attribute into the page than those of its Markdown', async () => {
  const samples = fc.sample(fc.tuple(texts, marks, ranges), { numRuns: cases(300), seed: 7 });
  const { page } = await newTab(await newContext(browser));
  const shown = samples.map(([text, found, range]) => {
    const { text: markup } = answerMarkdown(text, toMarks(found), 'en', range);
    return `<article>${markup}</article>`;
  });
  await page.setContent(`<!doctype html><title>x</title>${shown.join('')}`);
  const elements = await page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('article > .answer *')].map((each) => [each.localName, ...each.getAttributeNames()].join(' ')))]`,
  );
  const known =
    /^(?:h3|p|ul|li|hr|br|b|s|em|blockquote|code|table|thead|tbody|tr|td|ol start|th scope|pre tabindex|div class tabindex|a href rel|mark class(?: data-rank)?|p class|span class data-code)$/;
  expect(elements.filter((each) => !known.test(each))).toEqual([]);
  expect(elements.length).toBeGreaterThan(8);
  expect(await page.locator('body > article').count()).toBe(samples.length);
});

test('an answer of several megabytes of punctuation is shown whole within seconds', () => {
  const text = '*a_`[|](x)\u202e'.repeat(200_000);
  const begin = process.cpuUsage();
  const shown = answerText(text, [{ position: 0, end: 1, isBrand: true, rank: 1 }], 'en').text;
  const { user } = process.cpuUsage(begin);
  expect(shown.length).toBeGreaterThan(text.length);
  expect(user).toBeLessThan(20_000_000);
});
