import { actions, agentHits, detections, prompts, scores } from '@overheard/contract';
import type { DetectionRow } from '@overheard/contract';
import { describe, expect, test } from 'vitest';
import { brand, brandedQuestions, competitors, engines } from './cast.ts';
import { demoRows } from './demo-rows.ts';
import { createRandom } from './random.ts';
import type { DemoSubject } from './runs.ts';

const now = Date.parse('2026-11-20T12:34:56.789Z');
const subjects: readonly DemoSubject[] = [brand, ...competitors].map(({ name }, index) => ({
  id: `00000000-0000-7000-8000-00000000000${index}`,
  subject_type: index === 0 ? 'brand' : 'competitor',
  name,
}));
const rows = demoRows(subjects, now);
const branded = new Set(brandedQuestions.map(({ text }) => text));
const brandedIds = new Set(
  rows.prompts.filter(({ text }) => branded.has(text)).map(({ id }) => id),
);
const runs = Map.groupBy(rows.detections, ({ run_id }) => run_id);

test('the demo is the same for the same moment and subjects', () => {
  expect(demoRows(subjects, now)).toEqual(rows);
});

test('the demo has the size that it is described with', () => {
  expect(rows.prompts).toHaveLength(40);
  expect(new Set(rows.prompts.map(({ id }) => id)).size).toBe(40);
  expect(rows.actions).toHaveLength(30);
  expect(rows.hits).toHaveLength(3000);
  expect(runs.size).toBeGreaterThan(1900);
  expect(runs.size).toBeLessThan(2200);
  expect(rows.scores).toHaveLength(180 * 6);
});

test('every row is one of the contract', () => {
  expect(prompts.row.array().safeParse(rows.prompts).error).toBeUndefined();
  expect(actions.row.array().safeParse(rows.actions).error).toBeUndefined();
  expect(scores.row.array().safeParse(rows.scores).error).toBeUndefined();
  expect(agentHits.row.array().safeParse(rows.hits).error).toBeUndefined();
  expect(detections.row.strip().array().safeParse(rows.detections).error).toBeUndefined();
});

test('each day of the 180 and each engine has a score that its runs give', () => {
  const counted = rows.detections.filter(({ prompt_id }) => !brandedIds.has(prompt_id));
  const expected = [...Map.groupBy(counted, dayAndEngine)].map(([key, ofDay]) => {
    const cited = ofDay.filter((row) => row.cited);
    const ofBrand = cited.filter(({ subject_type }) => subject_type === 'brand').length;
    return {
      key,
      citations: ofBrand,
      total_runs: new Set(ofDay.map(({ run_id }) => run_id)).size,
      sov: cited.length === 0 ? 0 : Number((ofBrand / cited.length).toFixed(4)),
    };
  });
  const scored = rows.scores.map(({ date, engine, ...figures }) => ({
    key: `${date} ${engine}`,
    ...figures,
  }));
  expect(scored.toSorted(byKey)).toEqual(expected.toSorted(byKey));
  const dates = new Set(rows.scores.map(({ date }) => date));
  expect([...dates].toSorted().at(0)).toBe('2026-05-25');
  expect([...dates].toSorted().at(-1)).toBe('2026-11-20');
});

test('within a run each subject is detected once, ranks count from 1, positions follow them', () => {
  for (const ofRun of runs.values()) {
    expect(ofRun.map(({ subject_id }) => subject_id)).toEqual(subjects.map(({ id }) => id));
    const ranked = ofRun
      .filter((row) => row.cited)
      .toSorted((left, right) => (left.rank ?? 0) - (right.rank ?? 0));
    expect(ranked.map(({ rank }) => rank)).toEqual(ranked.map((_, index) => index + 1));
    const named = ranked.filter(({ position }) => position !== null);
    // Those named stand before those that are linked only.
    expect(ranked.slice(0, named.length)).toEqual(named);
    const positions = named.map(({ position }) => position ?? -1);
    expect(positions).toEqual(positions.toSorted((left, right) => left - right));
    expect(new Set(positions).size).toBe(positions.length);
  }
});

test('who is not cited has neither position, rank nor sentiment', () => {
  const others = rows.detections.filter(({ cited }) => !cited);
  expect(others.length).toBeGreaterThan(1000);
  const figures = others.flatMap(({ position, rank, sentiment }) => [position, rank, sentiment]);
  expect(new Set(figures)).toEqual(new Set([null]));
});

test('a run is of a prompt that was there, and an answer names whom the question names', () => {
  const promptsById = new Map(rows.prompts.map((prompt) => [prompt.id, prompt]));
  for (const { prompt_id, run_at, subject_id, cited } of rows.detections) {
    const prompt = promptsById.get(prompt_id);
    expect((prompt?.created_at ?? run_at) < run_at).toBe(true);
    const name = subjects.find(({ id }) => id === subject_id)?.name ?? '';
    expect(cited || prompt?.text.includes(name) === false).toBe(true);
  }
});

test('every kind of value occurs: engines, sentiments, statuses, priorities, verifications', () => {
  const values = <Row extends object>(of: readonly Row[], field: keyof Row): number =>
    new Set(of.map((row) => row[field])).size;
  expect(values(rows.scores, 'engine')).toBe(engines.length);
  expect(values(rows.detections, 'sentiment')).toBe(4);
  expect(values(rows.actions, 'status')).toBe(4);
  expect(values(rows.actions, 'priority')).toBe(3);
  expect(values(rows.hits, 'verification')).toBe(3);
  expect(values(rows.hits, 'category')).toBe(3);
  const latest = rows.hits.toSorted((left, right) => (left.hit_at < right.hit_at ? 1 : -1));
  expect(values(latest.slice(0, 500), 'verification')).toBe(3);
});

describe.each(['2026-11-20T00:00:00.000Z', '2026-11-20T00:00:01.000Z', '2028-02-29T23:59:59.999Z'])(
  'at %s',
  (moment) => {
    test('nothing is ahead of the clock, and today has a score of each engine', () => {
      const made = demoRows(subjects, Date.parse(moment));
      const moments = [
        ...made.prompts.map(({ created_at }) => created_at),
        ...made.actions.map(({ created_at }) => created_at),
        ...made.detections.map(({ run_at }) => run_at),
        ...made.hits.map(({ hit_at }) => hit_at),
      ];
      expect(moments.filter((each) => each > moment)).toEqual([]);
      const today = made.scores.filter(({ date }) => date === moment.slice(0, 10));
      expect(today).toHaveLength(6);
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

function dayAndEngine({ run_at, engine }: DetectionRow): string {
  return `${run_at.slice(0, 10)} ${engine}`;
}

function byKey(left: { key: string }, right: { key: string }): number {
  return left.key < right.key ? -1 : 1;
}
