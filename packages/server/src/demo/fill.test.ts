// @module-tag slow
import { actions, agentHits, prompts } from '@overheard/contract';
import { beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../test/cases.ts';
import { openOnSqlite } from '../../test/logs/log-place.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { readReport } from '../reports/report.ts';
import { readSearches } from '../reports/searches.ts';
import { demoRows, fillDemo } from './fill.ts';
import { createRandom } from './random.ts';

const now = Date.parse('2026-11-20T12:34:56.789Z');
const engines = ['chatgpt', 'claude', 'gemini', 'google_ai_overview', 'perplexity'];

/** Fills a store at a moment and returns the rows of the demo's tables. */
async function fill(store: Store, nowMs: number) {
  await fillDemo(store, { clock: () => nowMs, signal: new AbortController().signal });
  const db = store.reader;
  return {
    scores: await db.selectFrom('scores').selectAll().orderBy('date').execute(),
    actions: await db.selectFrom('actions').selectAll().execute(),
    changes: await db.selectFrom('action_changes').selectAll().execute(),
    detections: await db.selectFrom('detections').selectAll().execute(),
    runs: await db.selectFrom('runs').selectAll().execute(),
    hits: await db.selectFrom('hits').selectAll().orderBy('hit_at', 'desc').execute(),
  };
}

test('the demo is the same for the same moment', () => {
  expect(demoRows(now)).toEqual(demoRows(now));
});

test('the 40 prompts are rows of the contract, and no run is older than its prompt', () => {
  const rows = demoRows(now);
  expect(prompts.row.array().safeParse(rows.prompts).error).toBeUndefined();
  expect(new Set(rows.prompts.map(({ id }) => id)).size).toBe(40);
  expect(new Set(rows.prompts.map(({ locale }) => locale)).size).toBe(3);
  const created = new Map(rows.prompts.map(({ id, created_at }) => [id, created_at]));
  const early = rows.answers.filter((one) => one.run_at < (created.get(one.prompt_id) ?? '9'));
  expect(early).toEqual([]);
  expect(new Set(rows.answers.map(({ outcome }) => outcome)).size).toBe(4);
});

// The demo is always on SQLite.
eachStore({ title: 'the demo', onBoth: false }, (open) => {
  let filled: Awaited<ReturnType<typeof fill>>;
  beforeAll(async () => {
    const { store } = await open();
    filled = await fill(store, now);
  });

  test('two periods of 28 days have a score of every day and engine, and a worked list of actions', () => {
    expect(filled.scores).toHaveLength(56 * engines.length);
    expect([filled.scores[0]?.date, filled.scores.at(-1)?.date]).toEqual([
      '2026-09-26',
      '2026-11-20',
    ]);
    expect(actions.row.strip().array().safeParse(filled.actions).error).toBeUndefined();
    expect(new Set(filled.actions.map(({ status }) => status)).size).toBe(4);
    expect(new Set(filled.actions.map(({ priority }) => priority)).size).toBe(3);
    expect(new Set(filled.actions.map(({ kind }) => kind)).size).toBeGreaterThan(3);
    expect(filled.actions.filter((one) => one.sov_result !== null).length).toBeGreaterThan(0);
    const cited = filled.detections.filter((one) => Number(one.cited) === 1);
    expect(cited.filter(({ position }) => position === null).length).toBeGreaterThan(100);
    expect(cited.filter(({ sentence }) => sentence === null).length).toBeLessThan(
      cited.length / 10,
    );
  });

  test(
    'each prompt has a topic, one of them is lost, and some searches never lead to the brand',
    { tags: ['long'] },
    async () => {
      const { store } = await open();
      await fill(store, now);
      const { id: workspaceId } = await store.reader
        .selectFrom('workspaces')
        .select('id')
        .executeTakeFirstOrThrow();
      const source = { db: store.reader, workspaceId };
      const period = { from: '2026-10-24', to: '2026-11-20' };
      const { topics, gap_topics: groups } = await readReport(source, period);
      expect(topics.reduce((sum, row) => sum + row.prompts, 0)).toBe(36);
      expect(topics.filter((row) => row.is_lost).length).toBeGreaterThan(0);
      expect(topics.every((row) => row.is_lost)).toBe(false);
      expect(groups.length).toBeGreaterThan(1);
      const { queries, withoutBrand } = await readSearches(source, period);
      expect(withoutBrand).toBeGreaterThan(10);
      expect(withoutBrand).toBeLessThan(queries / 2);
    },
  );

  test('one engine of the demo rarely cites the brand, and another cites it half as often as before', () => {
    const { scores } = filled;
    const rate = (engine: string, isLater: boolean) => {
      const days = scores.filter(
        (one) => one.engine === engine && one.date >= '2026-10-24' === isLater,
      );
      const sum = (key: 'citations' | 'total_runs') => days.reduce((all, one) => all + one[key], 0);
      return sum('citations') / sum('total_runs');
    };
    expect(rate('google_ai_overview', true)).toBeLessThan(0.15);
    expect(rate('chatgpt', true)).toBeGreaterThan(0.4);
    expect(rate('perplexity', true)).toBeLessThan(rate('perplexity', false) * 0.6);
  });

  test('the log of the demo becomes hits of every category and verification, and two crawlers are refused', () => {
    const rows = agentHits.row.strip().array().parse(filled.hits);
    expect(rows).toHaveLength(3000);
    for (const some of [rows, rows.slice(0, 500)]) {
      expect(new Set(some.map(({ verification }) => verification)).size).toBe(3);
      expect(new Set(some.map(({ category }) => category)).size).toBe(3);
    }
    const refused = rows.filter(({ status }) => status === 403).map((hit) => hit.bot_name);
    expect([...new Set(refused)].toSorted()).toEqual(['GPTBot', 'PerplexityBot']);
  });
});

const openEmbedded = openOnSqlite();

test.each(['2028-02-29T23:59:59.999Z', '2026-11-20T00:00:00.000Z'].slice(0, cases(2)))(
  'at %s nothing is ahead of the clock, and today has a score of each engine',
  { tags: ['long'] },
  async (moment) => {
    const { store } = await openEmbedded();
    const filled = await fill(store, Date.parse(moment));
    const moments = [
      ...demoRows(Date.parse(moment)).prompts.map(({ created_at }) => created_at),
      ...filled.runs.map(({ run_at }) => run_at),
      ...filled.hits.map(({ hit_at }) => hit_at),
      ...filled.actions.map(({ created_at }) => created_at),
      ...filled.changes.map(({ changed_at }) => changed_at),
    ];
    expect(moments.filter((each) => each > moment)).toEqual([]);
    const today = filled.scores.filter(({ date }) => date === moment.slice(0, 10));
    expect(today).toHaveLength(engines.length);
  },
);

test('the source of chance draws every tenth of its range about as often', () => {
  const random = createRandom(1);
  const counts = Array.from({ length: 10 }, () => 0);
  for (let draw = 0; draw < 10_000; draw++) {
    const tenth = Math.floor(random.next() * 10);
    counts[tenth] = (counts[tenth] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(900);
});
