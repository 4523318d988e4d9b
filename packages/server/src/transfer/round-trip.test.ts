import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachStore } from '../../test/stores.ts';
import { formats } from '../rows/format.ts';
import type { Format } from '../rows/format.ts';
import type { Store } from '../storage/store.ts';
import { createWorkspace } from '../workspaces/workspaces.ts';
import { exportRows } from './export-rows.ts';
import { importRows } from './import-rows.ts';
import type { ImportSummary } from './import-rows.ts';
import type { Resource } from './resource.ts';
import { resources } from './resources.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

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
    fc.string({ unit: 'binary', minLength: 1 }),
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

eachStore('what is exported', (open) => {
  for (const resource of resources) {
    test(`imports again as the same ${resource.name}, in every format`, async () => {
      const { store } = await open();
      const rows = rowsOf[resource.name] ?? fc.constant([]);
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(rows, async (originals) => {
          runs += 1;
          const first = await workspace(store, `from-${runs}`);
          await importText(store, first, resource, 'ndjson', originals.map(line).join(''));
          const stored = await exportText(store, first, resource, 'ndjson');
          expect(stored.split('\n').filter(Boolean).map(parse)).toEqual(
            expect.arrayContaining(originals.map((row) => expect.objectContaining(row))),
          );
          for (const format of formats) {
            const second = await workspace(store, `to-${format}-${runs}`);
            const exported = await exportText(store, first, resource, format);
            const summary = await importText(store, second, resource, format, exported);
            expect(summary.rows.new).toBe(originals.length);
            expect(await exportText(store, second, resource, 'ndjson')).toBe(stored);
          }
        }),
        { numRuns: 8 },
      );
    });
  }

  test('comes slice by slice without a gap or a repetition, where all rows tie', async () => {
    const { store } = await open();
    const id = await workspace(store, 'acme');
    for (const resource of resources.filter(({ name }) => ['hits', 'actions'].includes(name))) {
      const row =
        resource.name === 'hits'
          ? {
              bot_name: 'a',
              bot_company: 'b',
              category: 'user',
              path: '/',
              method: 'GET',
              verification: 'verified',
              hit_at: '2026-11-20T00:00:00Z',
            }
          : { priority: 'low', created_at: '2026-11-20T00:00:00Z' };
      const lines = Array.from({ length: 2500 }, (_, index) =>
        line(
          resource.name === 'hits'
            ? row
            : {
                ...row,
                recommendation: `${index}`,
                impact_score: index % 3 === 0 ? null : index % 2,
              },
        ),
      );
      await importText(store, id, resource, 'ndjson', lines.join(''));
      const ids = (await exportText(store, id, resource, 'csv'))
        .split('\n')
        .slice(1, -1)
        .map((each) => each.slice(0, 36));
      expect(new Set(ids).size).toBe(2500);
      expect(ids).toHaveLength(2500);
    }
  });
});

async function workspace(store: Store, slug: string): Promise<string> {
  return (await createWorkspace(store, { slug, name: slug, brand: { name: 'Acme' }, clock })).id;
}

async function importText(
  store: Store,
  workspaceId: string,
  resource: Resource,
  format: Format,
  content: string,
): Promise<ImportSummary> {
  const source = {
    name: 'rows',
    stream: Readable.from([Buffer.from(content)]),
    bytesTotal: undefined,
  };
  return importRows(store, { workspaceId, resource, source, format, clock });
}

async function exportText(
  store: Store,
  workspaceId: string,
  resource: Resource,
  format: Format,
): Promise<string> {
  let exported = '';
  const write = async (piece: string): Promise<boolean> => {
    exported += piece;
    return true;
  };
  await exportRows(store, { workspaceId, resource, format, write });
  return exported;
}

function line(row: object): string {
  return `${JSON.stringify(row)}\n`;
}

function parse(json: string): unknown {
  return JSON.parse(json);
}
