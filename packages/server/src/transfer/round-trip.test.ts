import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { codePoint } from '../../../../test/any-text.ts';
import { least } from '../../test/answers/importing.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { exportText, importText, makeWorkspace, toLines } from '../../test/answers/transferring.ts';
import { formats } from '../rows/format.ts';
import { resources } from './all-resources.ts';
import { actions } from './resources/actions.ts';
import { hits } from './resources/hits.ts';

/** What a format may confuse: separators, quotes, line ends, spaces, formulas, words that look like values. */
const text = fc
  .oneof(
    fc.constantFrom(
      'null',
      'true',
      'FALSE',
      '1',
      '0',
      'NaN',
      '-1.5',
      '=1+1',
      '@a',
      '+49',
      "'",
      '"',
      '""',
      ',',
      ';',
      '\t',
      '\r',
      '\n',
      '\r\n',
      ' a ',
      ' ',
      '\u00a0',
      '\ufeff',
      '\u2028',
      'e\u0301',
      '😀',
      '\uffff',
      '\\',
      '\\n',
      '\u0001',
      '{}',
      '[]',
    ),
    fc.string({ unit: codePoint, minLength: 1 }),
  )
  .filter((value) => value.isWellFormed() && !value.includes('\0'));

const uuid = fc.uuid();
const ratio = fc.nat({ max: 10_000 }).map((parts) => parts / 10_000);
const count = fc.maxSafeNat();
const engine = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,20}$/);
const moment = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
const locale = fc.constantFrom('en-US', 'de-CH', 'zh-Hant-TW', 'es-419');

const cited = fc.record({
  cited: fc.constant(true),
  position: fc.option(count),
  rank: fc.option(count.map((n) => Math.max(1, n))),
});
const notCited = fc.constant({ cited: false, position: null, rank: null });

const detection = fc
  .record({
    id: uuid,
    subject_type: fc.constantFrom('brand', 'competitor'),
    subject_id: fc.option(uuid),
    place: fc.oneof(cited, notCited),
    sentiment: fc.option(fc.constantFrom('positive', 'neutral', 'negative')),
  })
  .map(({ place, ...rest }) => ({ ...rest, ...place }));

const run = fc.record({ run_id: uuid, prompt_id: fc.option(uuid), engine, run_at: moment });

/** Random rows of each kind, in normal form and with every field, unique as their tables demand. */
const rowsOf: Readonly<Record<string, fc.Arbitrary<ReadonlyArray<Record<string, unknown>>>>> = {
  prompts: unique(
    fc.record({
      id: uuid,
      text,
      language: fc.constantFrom('en', 'zh-Hant'),
      locale,
      active: fc.boolean(),
      created_at: moment,
    }),
  ),
  actions: unique(
    fc.record({
      id: uuid,
      prompt_id: fc.option(uuid),
      recommendation: text,
      priority: fc.constantFrom('high', 'medium', 'low'),
      status: fc.constantFrom('open', 'in_progress', 'done', 'dismissed'),
      impact_score: fc.option(
        fc.double({ min: 0, max: 100, noNaN: true }).map((score) => score + 0),
      ),
      sov_baseline: fc.option(ratio),
      sov_result: fc.option(ratio),
      created_at: moment,
    }),
  ),
  scores: fc.uniqueArray(
    fc
      .record({
        id: uuid,
        date: moment.map((at) => at.slice(0, 10)),
        engine,
        counts: fc.tuple(count, count),
        sov: ratio,
      })
      .map(({ counts, ...score }) => ({
        ...score,
        citations: Math.min(...counts),
        total_runs: Math.max(...counts),
      })),
    { selector: ({ date, engine: of }) => `${date} ${of}`, maxLength: 8 },
  ),
  hits: unique(
    fc.record({
      id: uuid,
      bot_name: text,
      bot_company: text,
      category: fc.constantFrom('crawler', 'search', 'user'),
      path: text,
      method: text,
      status: fc.option(fc.nat({ max: 999 })),
      verification: fc.constantFrom('verified', 'spoofed', 'unverified'),
      hit_at: moment,
    }),
  ),
  detections: fc
    .array(fc.tuple(run, fc.array(detection, { maxLength: 4 })), { maxLength: 4 })
    .map((runs) => runs.flatMap(([of, found]) => found.map((each) => ({ ...each, ...of })))),
};

function unique<Row extends { id: string }>(row: fc.Arbitrary<Row>): fc.Arbitrary<Row[]> {
  return fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 8 });
}

eachStore({ title: 'what is exported', onBoth: false }, (open) => {
  for (const resource of resources) {
    test(`an export imports again as the same ${resource.name}, in every format`, async () => {
      const { store } = await open();
      const rows = rowsOf[resource.name] ?? fc.constant([]);
      let runs = 0;
      const property = fc.asyncProperty(rows, async (originals) => {
        runs += 1;
        const first = { workspaceId: await makeWorkspace(store, `from-${runs}`), resource };
        await importText(store, first, toLines(originals));
        const stored = await exportText(store, first);
        const storedRows = stored.split('\n').slice(0, -1).map(parse);
        expect(storedRows).toHaveLength(originals.length);
        expect(storedRows).toEqual(
          expect.arrayContaining(originals.map((row) => expect.objectContaining(row))),
        );
        for (const format of formats) {
          const workspaceId = await makeWorkspace(store, `to-${format}-${runs}`);
          const exported = await exportText(store, { ...first, format });
          const summary = await importText(store, { workspaceId, resource, format }, exported);
          expect(summary.rows.new).toBe(originals.length);
          expect(await exportText(store, { workspaceId, resource })).toBe(stored);
        }
      });
      await fc.assert(property, { numRuns: cases(8) });
    });
  }

  test('an export comes slice by slice without a gap or a repetition, even if all rows tie', async () => {
    const { store } = await open();
    const workspaceId = await makeWorkspace(store, 'acme');
    const many = Array.from({ length: 2500 }, (_, index) => index);
    const tied = [
      { resource: hits, rows: many.map(() => least.hits) },
      {
        resource: actions,
        rows: many.map((index) => ({
          ...least.actions,
          recommendation: `${index}`,
          impact_score: index % 3 === 0 ? null : index % 2,
        })),
      },
    ];
    for (const { resource, rows } of tied) {
      await importText(store, { workspaceId, resource }, toLines(rows));
      const lines = (await exportText(store, { workspaceId, resource, format: 'csv' })).split('\n');
      const ids = lines.slice(1, -1).map((line) => line.slice(0, 36));
      expect(ids).toHaveLength(2500);
      expect(new Set(ids).size).toBe(2500);
    }
  });
});

function parse(json: string): unknown {
  return JSON.parse(json);
}
