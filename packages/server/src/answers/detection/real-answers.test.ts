import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDetector } from './detect.ts';
import type { DetectableSubject } from './subject.ts';

/*
 * Real answers with their true mentions aren't part of this repository. They are read from beside
 * it: `answers/product-bench.ndjson` and `answers/subjects.json` in a folder named `shared`.
 */
const folder = new URL('../../../../../../shared/answers/', import.meta.url);
const isThere = existsSync(new URL('product-bench.ndjson', folder));
const absent = isThere ? '' : ` (skipped: no real answers in ${folder.pathname})`;

const answerRow = z.object({ answer: z.string(), named: z.record(z.string(), z.number()) });
const subjectRows = z.array(z.object({ name: z.string(), domains: z.array(z.string()) }));

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** Counts of true, missed and wrong mentions. */
function measure() {
  const subjects = subjectRows
    .parse(JSON.parse(read('subjects.json')))
    .map(({ name, domains }, index): DetectableSubject => ({
      id: name,
      type: index === 0 ? 'brand' : 'competitor',
      aliases: [{ alias: name, match: 'default' }],
      domains,
    }));
  const detect = createDetector(subjects);
  const count = { named: 0, found: 0, placed: 0, invented: 0 };
  for (const line of read('product-bench.ndjson').split('\n').filter(Boolean)) {
    const { answer, named } = answerRow.parse(JSON.parse(line));
    for (const { subjectId, position } of detect(answer).detections) {
      const place = named[subjectId];
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
