/** A workspace with scores alone, and the states of the overview. */
import { Readable } from 'node:stream';
import type { Store } from '../../src/storage/store.ts';
import { importRows } from '../../src/transfer/import-rows.ts';
import { scores } from '../../src/transfer/resources/scores.ts';
import { utcDay } from '../../src/values/time/utc-day.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';
import type { PageState } from './page-state.ts';
import type { Person } from './people.ts';

/** Makes the workspace `scored` with imported scores alone. */
export async function reportStates(
  store: Store,
  { person, clock }: { person: Person; clock: () => number },
): Promise<PageState[]> {
  const signal = new AbortController().signal;
  const file = (row: object) => ({
    format: 'ndjson' as const,
    source: {
      name: 'rows',
      stream: Readable.from([Buffer.from(`${JSON.stringify(row)}\n`)]),
      bytesTotal: undefined,
    },
    clock,
    signal,
  });
  const make = async (slug: string) =>
    (await createWorkspace(store, { slug, name: slug, brand: { name: 'Acme' }, clock })).id;
  await importRows(store, {
    workspaceId: await make('scored'),
    resource: scores,
    ...file({ date: utcDay(clock()), engine: 'chatgpt', citations: 1, total_runs: 3, sov: 0.3333 }),
  });
  return [
    { name: 'overview', path: '/w/demo/', person },
    { name: 'overview-12-weeks', path: '/w/demo/?weeks=12&competitor_prompts=exclude', person },
    { name: 'overview-none', path: '/w/demo/?engine=nobody', person },
    { name: 'overview-one', path: '/w/one/', person },
    { name: 'overview-scores', path: '/w/scored/', person },
    { name: 'overview-empty', path: '/w/empty/', person },
    { name: 'reports', path: '/w/demo/reports', person },
    { name: 'reports-none', path: '/w/empty/reports', person },
    { name: 'published-report', path: `/w/demo/reports?id=${await firstReport(store)}`, person },
    { name: 'overview-refused', path: '/w/demo/?weeks=5', person, status: 400 },
  ];
}

/** The report that the demo has published. */
async function firstReport({ reader }: Store): Promise<string> {
  const { id } = await reader
    .selectFrom('published_reports')
    .select('id')
    .executeTakeFirstOrThrow();
  return id;
}
