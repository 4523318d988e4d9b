/**
 * A typed client of the API: paging, quota and retry. Its types are in `packages/contract` of a clone
 * of Overheard, where `npm ci` links them; Node 22.18 or later runs this file without them.
 */
import { setTimeout } from 'node:timers/promises';
import type { endpoints } from '@overheard/contract';
import type { z } from 'zod';

type Endpoint = (typeof endpoints)[number];
type Name = Endpoint['name'];
type Of<N extends Name> = Extract<Endpoint, { name: N }>;
export type Row<N extends Name> = z.output<Of<N>['row']>;
export type Query<N extends Name> = z.input<Of<N>['query']>;

/** The rows of a page, and the path of the next one if there is one. */
export interface Page<N extends Name> {
  readonly rows: ReadonlyArray<Row<N>>;
  readonly next: string | undefined;
}

/** Makes a client. A failed request is tried up to `attemptsMax` times. */
export function createClient({
  url,
  key,
  attemptsMax = 5,
}: {
  url: string;
  key: string;
  attemptsMax?: number;
}) {
  return { rows, all, page };

  /**
   * Every row that the endpoint gives, over all pages: `for await (const row of rows('detections', { from: '2026-11-01' }))`.
   * Without a parameter `agent-hits`, `detections` and `prompts` give only their most recent rows.
   * To follow `changes` use `page`, which has the next cursor.
   */
  async function* rows<N extends Name>(name: N, query?: Query<N>): AsyncGenerator<Row<N>> {
    const search = new URLSearchParams(
      Object.entries({ ...query }).map(([k, v]) => [k, String(v)]),
    );
    for (let next: string | undefined = `?${search.toString()}`; next !== undefined;) {
      const found: Page<N> = await page(name, next);
      yield* found.rows;
      // An empty page is the last one: each page of `changes` has a next cursor.
      next = found.rows.length > 0 ? found.next : undefined;
    }
  }

  /** Every row as an array. */
  async function all<N extends Name>(name: N, query?: Query<N>): Promise<Array<Row<N>>> {
    const found: Array<Row<N>> = [];
    for await (const row of rows(name, query)) found.push(row);
    return found;
  }

  /** One page. `search` is that of a page before, or begins with a question mark. */
  async function page<N extends Name>(name: N, search = '', attempt = 1): Promise<Page<N>> {
    const target = new URL(`/api/v1/${name}${search}`, url);
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(target, { headers }).catch(() => undefined);
    const mayRetry = response === undefined || response.status === 429 || response.status >= 500;
    if (mayRetry && attempt < attemptsMax) {
      // Past the quota the server says when it has a place again.
      await setTimeout(Number(response?.headers.get('retry-after') ?? 2 ** attempt) * 1000);
      return page(name, search, attempt + 1);
    }
    if (response === undefined) throw new Error(`${target.origin} does not respond.`);
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${target.pathname} responds with ${response.status}: ${text}`);
    // The one field has the rows, or the object of `report`. A newer server may add fields to them.
    const body: unknown = JSON.parse(text);
    const found = Object.values(body ?? {})
      .flat()
      .filter(isRow<N>);
    const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    return {
      rows: found,
      next: link && new URL(link).search,
    };
  }
}

function isRow<N extends Name>(value: unknown): value is Row<N> {
  return typeof value === 'object' && value !== null;
}
