/** A warehouse in a test: a client that keeps a copy of a workspace's rows by following `changes`. */
import { expect } from 'vitest';
import { z } from 'zod';
import { call } from './api.ts';
import type { Api } from './api.ts';

const changesPath = '/api/v1/changes';
const body = z.object({ changes: z.array(z.object({ kind: z.string(), date: z.string() })) });

type Kind = 'answers' | 'detections' | 'scores' | 'hits';

/** Reads the pages of changes, with the query of what comes after each, up to an empty one. */
export async function* readChanges(api: Api, key: string, since: string) {
  for (let next = since; ;) {
    const response = await call(api, `${changesPath}${next}`, { key });
    expect(response.statusCode, response.body).toBe(200);
    const link = String(response.headers['link']);
    next = /changes(\?since=[\w-]+)>; rel="next"/.exec(link)?.[1] ?? '';
    expect(next).not.toBe('');
    const { changes } = body.parse(response.json());
    yield { changes, next };
    if (changes.length === 0) return;
  }
}

/** The smallest warehouse: rows by kind and day, which it replaces as `changes` says. */
export function openWarehouse(api: Api, key: string) {
  const days = new Map<string, readonly unknown[]>();
  let since = '';
  return { follow, rows, readAll, cursor: () => since };

  async function follow(): Promise<string[]> {
    const followed: string[] = [];
    for await (const { changes, next } of readChanges(api, key, since)) {
      for (const { kind, date } of changes) {
        days.set(`${kind} ${date}`, await readDay(kind, date));
        followed.push(`${kind} ${date}`);
      }
      since = next;
    }
    return followed;
  }

  async function readDay(kind: string, date: string): Promise<readonly unknown[]> {
    if (kind === 'scores') {
      return (await readPages('scores', '')).filter((row) => dayOf(row) === date);
    }
    return readPages(kind === 'hits' ? 'agent-hits' : kind, `?from=${date}&to=${date}`);
  }

  async function readPages(path: string, query: string): Promise<object[]> {
    const found: object[] = [];
    for (let next: string | undefined = query; next !== undefined;) {
      const response = await call(api, `/api/v1/${path}${next}`, { key });
      expect(response.statusCode, response.body).toBe(200);
      const [page = []] = Object.values(
        z.record(z.string(), z.array(z.object().loose())).parse(response.json()),
      );
      found.push(...page);
      next = new RegExp(`${path}(\\?[^>]+)>; rel="next"`).exec(
        String(response.headers['link']),
      )?.[1];
    }
    return found;
  }

  /** The rows of the warehouse, of scores only those that `scores` has. */
  function rows(): Record<string, readonly unknown[]> {
    const kept = [...days].filter(
      ([name, list]) => list.length > 0 && !name.startsWith('scores 2025'),
    );
    return Object.fromEntries(kept.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** All rows by kind and day, read without `changes`. */
  async function readAll(): Promise<Record<string, readonly unknown[]>> {
    const all: ReadonlyArray<readonly [Kind, object[]]> = [
      ['answers', await readPages('answers', '?from=2026-02-01&to=2026-12-31&limit=200')],
      ['detections', await readPages('detections', '?from=1970-01-01')],
      ['hits', await readPages('agent-hits', '?to=2100-01-01')],
      ['scores', await readPages('scores', '')],
    ];
    const grouped = all.flatMap(([kind, list]) => [
      ...Map.groupBy(list, (row) => `${kind} ${dayOf(row)}`),
    ]);
    return Object.fromEntries(grouped.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
}

function dayOf(row: object): string {
  const {
    date,
    run_at: runAt,
    hit_at: hitAt,
  } = z.object({ date: z.string(), run_at: z.string(), hit_at: z.string() }).partial().parse(row);
  return (date ?? runAt ?? hitAt ?? '').slice(0, 10);
}
