/** The states of the overview and of published reports. */
import type { Store } from '../../src/storage/store.ts';
import type { PageState } from './page-state.ts';
import type { Person } from './people.ts';

export async function reportStates(store: Store, person: Person): Promise<PageState[]> {
  return [
    { name: 'overview', path: '/w/demo/', person },
    { name: 'overview-12-weeks', path: '/w/demo/?weeks=12&competitor_prompts=exclude', person },
    { name: 'overview-none', path: '/w/demo/?engine=nobody', person },
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
