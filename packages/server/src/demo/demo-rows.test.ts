import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { actions, prompts } from '@overheard/contract';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../storage/open/open-store.ts';
import { brand, competitors, engines } from './cast.ts';
import { demoRows } from './demo-rows.ts';
import { fillDemo } from './fill.ts';
import { createRandom } from './random.ts';
import type { DemoSubject } from './runs.ts';

const now = Date.parse('2026-11-20T12:34:56.789Z');
const subjects: readonly DemoSubject[] = [brand, ...competitors].map(({ name }, index) => ({
  subject_type: index === 0 ? 'brand' : 'competitor',
  name,
}));
const rows = demoRows(subjects, now);

test('the demo is the same for the same moment and subjects', () => {
  expect(demoRows(subjects, now)).toEqual(rows);
});

test('the demo has the size that it is described with', () => {
  expect(rows.prompts).toHaveLength(40);
  expect(new Set(rows.prompts.map(({ id }) => id)).size).toBe(40);
  expect(rows.log).toHaveLength(3000);
  const answered = rows.answers.filter(({ outcome }) => outcome === 'answered');
  expect(answered.length).toBeGreaterThan(1900);
  expect(answered.length).toBeLessThan(2200);
  expect(new Set(rows.answers.map(({ outcome }) => outcome)).size).toBe(4);
});

test('prompts and hits are rows of the contract, and a run is of a prompt that was there', () => {
  expect(prompts.row.array().safeParse(rows.prompts).error).toBeUndefined();
  const created = new Map(rows.prompts.map(({ id, created_at }) => [id, created_at]));
  const early = rows.answers.filter((one) => one.run_at < (created.get(one.prompt_id) ?? '9'));
  expect(early).toEqual([]);
});

/** What follows from the demo's rows. */
async function fill(nowMs: number) {
  const folder = await mkdtemp(join(tmpdir(), 'overheard-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const store = await openStore(`file:${join(folder, 'demo.db')}`, { mayCreate: true });
  onTestFinished(() => store.close());
  await fillDemo(store, { clock: () => nowMs, signal: new AbortController().signal });
  const db = store.reader;
  return {
    scores: await db.selectFrom('scores').selectAll().execute(),
    actions: await db.selectFrom('actions').selectAll().execute(),
    changes: await db.selectFrom('action_changes').selectAll().execute(),
    detections: await db.selectFrom('detections').selectAll().execute(),
    runs: await db.selectFrom('runs').selectAll().execute(),
  };
}

test('from its answers follow scores of every day and engine, detections and a worked gap list', async () => {
  const filled = await fill(now);
  expect(filled.scores).toHaveLength(180 * engines.length);
  const days = filled.scores.map(({ date }) => date).toSorted((a, b) => (a < b ? -1 : 1));
  expect([days[0], days.at(-1)]).toEqual(['2026-05-25', '2026-11-20']);
  const fields = actions.row.strip().array();
  expect(fields.safeParse(filled.actions).error).toBeUndefined();
  expect(filled.actions.length).toBeGreaterThanOrEqual(25);
  expect(filled.actions.length).toBeLessThanOrEqual(60);
  expect(new Set(filled.actions.map(({ status }) => status)).size).toBe(4);
  expect(new Set(filled.actions.map(({ priority }) => priority)).size).toBe(3);
  expect(filled.actions.filter((one) => one.sov_result !== null).length).toBeGreaterThan(0);
  const cited = filled.detections.filter((one) => Number(one.cited) === 1);
  expect(cited.filter(({ position }) => position === null).length).toBeGreaterThan(100);
  expect(cited.filter(({ sentence }) => sentence === null)).toEqual([]);
});

describe.each(['2026-11-20T00:00:00.000Z', '2026-11-20T00:00:01.000Z', '2028-02-29T23:59:59.999Z'])(
  'at %s',
  (moment) => {
    test('nothing is ahead of the clock, and today has a score of each engine', async () => {
      const made = demoRows(subjects, Date.parse(moment));
      const filled = await fill(Date.parse(moment));
      const moments = [
        ...made.prompts.map(({ created_at }) => created_at),
        ...filled.runs.map(({ run_at }) => run_at),
        ...filled.actions.map(({ created_at }) => created_at),
        ...filled.changes.map(({ changed_at }) => changed_at),
      ];
      expect(moments.filter((each) => each > moment)).toEqual([]);
      const today = filled.scores.filter(({ date }) => date === moment.slice(0, 10));
      expect(today).toHaveLength(engines.length);
    });
  },
);

test('chance is even enough: every tenth of the range is met about as often', () => {
  const random = createRandom(1);
  const tenths = new Map<number, number>();
  for (let draw = 0; draw < 10_000; draw++) {
    const tenth = Math.floor(random.next() * 10);
    tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
  }
  expect(tenths.size).toBe(10);
  expect(Math.min(...tenths.values())).toBeGreaterThan(900);
});
