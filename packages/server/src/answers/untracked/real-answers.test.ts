import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { findCountedRange } from '../detection/furniture.ts';
import { allMentions } from '../detection/names/mentions.ts';
import { createAnswerScanner } from '../detection/scan-answer.ts';
import { findNames } from './find-names.ts';
import { createCaseCounter, createNameCounter } from './name-counts.ts';
import { splitWords } from './words.ts';

/* Real answers aren't part of this repository: see `answers/detection/real-answers.test.ts`. */
const folder = new URL('../../../../../../shared/answers/', import.meta.url);
const isThere = existsSync(new URL('product-bench.ndjson', folder));
const absent = isThere ? '' : ` (skipped: no real answers in ${folder.pathname})`;

const methodology = readFileSync(
  new URL('../../../../../docs/methodology.md', import.meta.url),
  'utf8',
);

const answerRow = z.object({
  engine: z.string(),
  answer: z.string(),
  named: z.record(z.string(), z.number()),
});
const subjectRows = z.array(z.object({ name: z.string(), domains: z.array(z.string()) }));
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

test.skipIf(!isThere)(
  `real answers give the suggestions that the methodology counts, and no word for a technology${absent}`,
  { tags: ['long'] },
  () => {
    const [tracked = [], others = []] = [0, 5].map((from) =>
      subjectRows.parse(JSON.parse(read('subjects.json'))).slice(from, from === 0 ? 5 : undefined),
    );
    const { scan } = createAnswerScanner(
      tracked.map(({ name, domains }) => ({
        id: name,
        type: 'competitor',
        aliases: [{ alias: name, match: 'default' }],
        domains,
      })),
    );
    const rows = read('product-bench.ndjson')
      .split('\n')
      .filter(Boolean)
      .map((line) => answerRow.parse(JSON.parse(line)));
    const answers = rows.map(({ engine, answer }, index) => {
      const { search, links } = scan(answer, 'en', findCountedRange(engine, answer));
      const words = splitWords(search.text, { tracked: allMentions(search), links });
      return { runId: String(index), language: 'en', words };
    });
    const cases = createCaseCounter();
    for (const answer of answers) cases.add(answer);
    const counter = createNameCounter(cases.isName);
    for (const answer of answers) counter.add(answer);
    const isTracked = (key: string) => tracked.some(({ name }) => name.toLowerCase() === key);
    const found = findNames({
      ...counter,
      sites: new Set(),
      languages: ['en'],
      isTracked,
      isAlsoLower: cases.isAlsoLower,
    }).map(({ key }) => key);
    const often = others
      .map(({ name }) => name)
      .filter((name) => rows.filter(({ named }) => named[name] !== undefined).length >= 3);
    const suggested = often.filter((name) => found.includes(name.toLowerCase()));
    // By eye, about 180 of them are names of companies, products or publications.
    expect(methodology).toContain(
      `Measured on ${rows.length} English answers about products, with 5 subjects tracked: of ${found.length} suggestions `,
    );
    expect(methodology).toContain(
      `of ${often.length} known brands in 3 answers or more, ${suggested.length} are among them.`,
    );
    for (const word of [
      'bluetooth',
      'wi-fi',
      'usb',
      'oled',
      'gps',
      'things',
      'android',
      'windows',
    ]) {
      expect(found).not.toContain(word);
    }
  },
);
