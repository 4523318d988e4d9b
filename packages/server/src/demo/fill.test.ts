// @module-tag slow
import { actions, agentHits, prompts } from '@overheard/contract';
import { beforeAll, expect, test } from 'vitest';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { demoRows, fillDemo } from './fill.ts';

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
