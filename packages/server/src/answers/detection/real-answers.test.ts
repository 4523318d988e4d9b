import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDetector } from './detect.ts';
import { findCountedRange } from './furniture.ts';
import type { DetectableSubject } from './subject.ts';

/*
 * Real answers with their true mentions aren't part of this repository. They are read from beside
 * it: `product-bench.ndjson`, `furniture.ndjson` and `subjects.json` of `answers` in a folder named
 * `shared`.
 */
const folder = new URL('../../../../../../shared/answers/', import.meta.url);
const files = ['product-bench.ndjson', 'furniture.ndjson', 'subjects.json'];
const isThere = files.every((name) => existsSync(new URL(name, folder)));
const absent = isThere ? '' : ` (skipped: no real answers in ${folder.pathname})`;

const answerRow = z.object({
  engine: z.string(),
  answer: z.string(),
  named: z.record(z.string(), z.number()),
});
const furnitureRow = z.object({
  line: z.number(),
  from: z.number(),
  furniture_only: z.array(z.string()),
});
const subjectRows = z.array(z.object({ name: z.string(), domains: z.array(z.string()) }));

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const readLines = (name: string): unknown[] =>
  read(name)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

function readAnswers() {
  const furniture = readLines('furniture.ndjson').map((row) => furnitureRow.parse(row));
  const byLine = new Map(furniture.map((row) => [row.line, row]));
  return readLines('product-bench.ndjson').map((row, index) => {
    const { engine, answer, named } = answerRow.parse(row);
    const { from = null, furniture_only: furnitureOnly = [] } = byLine.get(index + 1) ?? {};
    const range = findCountedRange(engine, answer);
    return { answer, named, from, furnitureOnly, range };
  });
}

function createSubjectsDetector() {
  const subjects = subjectRows
    .parse(JSON.parse(read('subjects.json')))
    .map(({ name, domains }, index): DetectableSubject => ({
      id: name,
      type: index === 0 ? 'brand' : 'competitor',
      aliases: [{ alias: name, match: 'default' }],
      domains,
    }));
  return createDetector(subjects);
}

/** Counts of true, missed and wrong mentions. */
function measure() {
  const detect = createSubjectsDetector();
  const count = { named: 0, found: 0, placed: 0, invented: 0 };
  for (const { answer, named, furnitureOnly, range } of readAnswers()) {
    for (const { subjectId, position } of detect(answer, [], undefined, range).detections) {
      const place = furnitureOnly.includes(subjectId) ? undefined : named[subjectId];
      if (place !== undefined) count.named += 1;
      else if (position !== null) count.invented += 1;
      if (place !== undefined && position !== null) count.found += 1;
      if (place !== undefined && position === place) count.placed += 1;
    }
  }
  return count;
}

test.skipIf(!isThere)(
  `99.7 % of the mentions in real answers are found, 99.5 % at their place${absent}`,
  () => {
    const { named, found, placed, invented } = measure();
    expect(named).toBeGreaterThan(1000);
    expect(found / named).toBeGreaterThan(0.997);
    expect(placed / named).toBeGreaterThan(0.995);
    // Names that are words of the language: "away", "made in", "target".
    expect(invented).toBeLessThanOrEqual(14);
  },
);

test.skipIf(!isThere)(
  `the page's own text is cut from each real answer that ends with it, and from no other${absent}`,
  () => {
    const answers = readAnswers();
    expect(answers.filter(({ from }) => from !== null)).toHaveLength(197);
    expect(answers.map(({ range }) => range)).toEqual(
      answers.map(({ from }) => ({ counts_from: null, counts_to: from })),
    );
  },
);

test.skipIf(!isThere)(
  `of all mentions in real answers, only those in the page's own text alone disappear${absent}`,
  () => {
    const detect = createSubjectsDetector();
    const positions = (...args: Parameters<typeof detect>) =>
      detect(...args).detections.map(({ subjectId, position }) => [subjectId, position] as const);
    let gone = 0;
    for (const { answer, furnitureOnly, range } of readAnswers()) {
      gone += furnitureOnly.length;
      expect(positions(answer, [], undefined, range)).toEqual(
        positions(answer).map(([subject, position]) => [
          subject,
          furnitureOnly.includes(subject) ? null : position,
        ]),
      );
    }
    expect(gone).toBe(176);
  },
);
