import { beforeAll, describe, expect, test } from 'vitest';
import { call, newTenant, nowMs, read, startApi } from '../../test/servers/api.ts';
import {
  aDetection,
  aHit,
  aPrompt,
  aRun,
  aScore,
  idOf,
  writeRows,
} from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';

const dayMs = 86_400_000;

function dayBefore(today: string, days: number): string {
  return new Date(Date.parse(today) - days * dayMs).toISOString().slice(0, 10);
}

/** Ids whose order differs from the order of insertion and of time. */
function shuffledId(index: number): string {
  return idOf((index * 7919) % 10_007);
}

eachStore({ title: 'what the endpoints cover', onBoth: false }, (open) => {
  let store: Store;
  beforeAll(async () => {
    ({ store } = await open({ clock: () => nowMs }));
  });

  describe('scores', () => {
    test('scores cover 180 days up to today: not the 181st day, not tomorrow', async () => {
      const { workspaceId, key } = await newTenant(store);
      const days = Array.from({ length: 185 }, (_, index) => dayBefore('2026-11-22', index));
      await writeRows(store, workspaceId, { scores: days.map((date) => aScore({ date })) });
      const { scores = [] } = await read(await startApi(store), '/api/v1/scores', key);
      expect(scores).toHaveLength(180);
      expect(scores[0]?.['date']).toBe('2026-11-20');
      expect(scores[179]?.['date']).toBe('2026-05-25');
      expect(scores.map((row) => row['date'])).toEqual(days.slice(2, 182));
    });
  });

  test('a period of 366 days is read, and one of 367 days is refused', async () => {
    const { key } = await newTenant(store);
    const api = await startApi(store);
    const statusOf = async (from: string) =>
      (await call(api, `/api/v1/shares?from=${from}&to=2026-11-20`, { key })).statusCode;
    expect(await statusOf(dayBefore('2026-11-20', 365))).toBe(200);
    expect(await statusOf(dayBefore('2026-11-20', 366))).toBe(400);
  });

  test('prompts are the 500 most recent; the 501st is left out, ties by id', async () => {
    const { workspaceId, key } = await newTenant(store);
    // All but three share one moment, so the limit cuts through a tie.
    const moments = ['2026-06-02T00:00:00.000Z', '2026-06-01T00:00:00.001Z'];
    const prompts = Array.from({ length: 503 }, (_, index) =>
      aPrompt({ id: shuffledId(index), created_at: moments[index] ?? '2026-06-01T00:00:00.000Z' }),
    );
    await writeRows(store, workspaceId, { prompts });
    const { prompts: served = [] } = await read(await startApi(store), '/api/v1/prompts', key);
    const tied = prompts.slice(2).map(({ id }) => id);
    expect(served.map((row) => row['id'])).toEqual([
      prompts[0]?.id,
      prompts[1]?.id,
      ...tied.toSorted().slice(0, 498),
    ]);
  });

  test('agent-hits are the 500 most recent of all three verifications, ties by id', async () => {
    const { workspaceId, key } = await newTenant(store);
    const hits = Array.from({ length: 501 }, (_, index) =>
      aHit({
        id: shuffledId(index),
        path: `/${index}`,
        verification: (['verified', 'spoofed', 'unverified'] as const)[index % 3] ?? 'verified',
        hit_at: index < 499 ? '2026-11-20T10:00:00.000Z' : '2026-11-20T09:59:59.999Z',
      }),
    );
    await writeRows(store, workspaceId, { hits });
    const { hits: served = [] } = await read(await startApi(store), '/api/v1/agent-hits', key);
    const recent = hits.slice(0, 499).toSorted((left, right) => (left.id < right.id ? -1 : 1));
    const older = hits.slice(499).toSorted((left, right) => (left.id < right.id ? -1 : 1));
    expect(served.map((row) => row['path'])).toEqual(
      [...recent, ...older].slice(0, 500).map(({ path }) => path),
    );
    expect(new Set(served.map((row) => row['verification'])).size).toBe(3);
  });

  describe('detections', () => {
    test('detections are those of the 200 most recent runs that have any; runs without any take no place', async () => {
      const { workspaceId, key } = await newTenant(store);
      // Every second run has no detections. The 199th to 203rd run with detections share one moment.
      const runs = Array.from({ length: 404 }, (_, index) =>
        aRun({ id: shuffledId(index), run_at: momentOf(Math.min(index, 398)) }),
      );
      const detected = runs.filter((_, index) => index % 2 === 0);
      const detections = detected.flatMap((run) => [
        aDetection({ run_id: run.id }),
        aDetection({ run_id: run.id, subject_type: 'competitor', cited: false, rank: null }),
      ]);
      await writeRows(store, workspaceId, { runs, detections });
      const { detections: served = [] } = await read(
        await startApi(store),
        '/api/v1/detections',
        key,
      );
      const tied = detected.slice(199).map(({ id }) => id);
      const covered = [...detected.slice(0, 199).map(({ id }) => id), tied.toSorted()[0]];
      expect(served.map((row) => row['run_id'])).toEqual(covered.flatMap((id) => [id, id]));
    });

    test('every page of the detections of a prompt in some days has those of that prompt alone', async () => {
      const { workspaceId, key } = await newTenant(store);
      const runs = Array.from({ length: 404 }, (_, index) =>
        aRun({ id: idOf(index), prompt_id: idOf(index % 2), run_at: momentOf(index) }),
      );
      const detections = runs.map(({ id }) => aDetection({ run_id: id }));
      await writeRows(store, workspaceId, { runs, detections });
      const api = await startApi(store);
      const served: unknown[] = [];
      let next: string | undefined = `?prompt_id=${idOf(1)}&from=2026-11-01`;
      while (next !== undefined) {
        const page = await call(api, `/api/v1/detections${next}`, { key });
        served.push(...page.json().detections.map((row: Record<string, unknown>) => row['run_id']));
        next = /detections(\?[^>]+)>; rel="next"/.exec(String(page.headers['link']))?.[1];
      }
      expect(served).toEqual(runs.filter((_, index) => index % 2 === 1).map(({ id }) => id));
    });

    test('detections have no rank before 2026-09-26, and are in order without it', async () => {
      const { workspaceId, key } = await newTenant(store);
      const before = aRun({ id: idOf(1), run_at: '2026-09-25T23:59:59.999Z' });
      const from = aRun({ id: idOf(2), run_at: '2026-09-26T00:00:00.000Z' });
      const detections = [before, from].flatMap((run, index) =>
        [3, 1, 2].map((rank, place) =>
          aDetection({
            id: idOf(10 * (index + 1) + place),
            run_id: run.id,
            subject_type: 'competitor',
            subject_id: idOf(rank),
            rank,
          }),
        ),
      );
      await writeRows(store, workspaceId, { runs: [before, from], detections });
      const { detections: served = [] } = await read(
        await startApi(store),
        '/api/v1/detections',
        key,
      );
      expect(served.map((row) => [row['run_id'], row['subject_id'], row['rank']])).toEqual([
        [from.id, idOf(1), 1],
        [from.id, idOf(2), 2],
        [from.id, idOf(3), 3],
        // Sorted by id alone, so that the order does not reveal the stored rank.
        [before.id, idOf(3), null],
        [before.id, idOf(1), null],
        [before.id, idOf(2), null],
      ]);
    });

    test('the detections of a run list the brand first, then by rank, those without a rank last', async () => {
      const { workspaceId, key } = await newTenant(store);
      const run = aRun();
      const of = (subject: number, subject_type: 'brand' | 'competitor', rank: number | null) =>
        aDetection({ run_id: run.id, subject_id: idOf(subject), subject_type, rank });
      const detections = [
        of(1, 'competitor', null),
        of(2, 'competitor', 10),
        of(3, 'competitor', 2),
        of(4, 'brand', 3),
        of(5, 'competitor', 1),
      ];
      await writeRows(store, workspaceId, { runs: [run], detections });
      const { detections: served = [] } = await read(
        await startApi(store),
        '/api/v1/detections',
        key,
      );
      expect(served.map((row) => row['subject_id'])).toEqual([4, 5, 3, 2, 1].map(idOf));
    });
  });
});

function momentOf(index: number): string {
  return new Date(nowMs - index * 60_000).toISOString();
}
