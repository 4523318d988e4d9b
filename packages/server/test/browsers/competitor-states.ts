import { listActions } from '../../src/storage/queries/list-actions.ts';
import type { Store } from '../../src/storage/store.ts';
import { listSubjects } from '../../src/workspaces/subject.ts';
import type { PageState } from './page-state.ts';
import type { Person } from './people.ts';

/** The states of competitors, sources, topics and gaps. */
export async function competitorStates(
  store: Store,
  { workspaceId, ada, ben }: { workspaceId: string; ada: Person; ben: Person },
): Promise<PageState[]> {
  const subjects = await listSubjects(store.reader, workspaceId);
  const rival = subjects.find(({ subject_type: type }) => type === 'competitor')?.id ?? '';
  const gaps = await listActions(store.reader, workspaceId);
  const gapPath = (kind: string) =>
    `/w/demo/gaps/${gaps.find((gap) => gap.kind === kind)?.id ?? ''}`;
  const competitors = '/w/demo/competitors';
  return [
    { name: 'competitors', path: competitors, person: ben },
    { name: 'competitors-none', path: '/w/empty/competitors', person: ada },
    { name: 'competitors-filtered-out', path: `${competitors}?engine=nothing`, person: ada },
    { name: 'competitor', path: `${competitors}/${rival}?weeks=12`, person: ada },
    {
      name: 'competitor-filtered-out',
      path: `${competitors}/${rival}?engine=nothing`,
      person: ada,
    },
    { name: 'apps-and-apis', path: '/w/demo/apps-and-apis', person: ada },
    { name: 'apps-and-apis-none', path: '/w/empty/apps-and-apis', person: ada },
    { name: 'sources', path: '/w/demo/sources', person: ada },
    { name: 'sources-pages', path: '/w/demo/sources?by=page&sort=gap', person: ada },
    { name: 'sources-of-a-site', path: '/w/demo/sources/wiki.example', person: ada },
    { name: 'sources-none', path: '/w/empty/sources', person: ada },
    { name: 'stances', path: '/w/demo/stances', person: ben },
    { name: 'stances-none', path: '/w/empty/stances', person: ada },
    { name: 'stances-check', path: '/w/demo/stances/check', person: ada },
    { name: 'stances-judge', path: '/w/demo/stances/judge', person: ada },
    { name: 'searches', path: '/w/demo/searches', person: ada },
    { name: 'searches-none', path: '/w/empty/searches', person: ada },
    { name: 'sources-filtered-out', path: '/w/demo/sources?engine=nothing', person: ada },
    { name: 'topics', path: '/w/demo/topics', person: ada },
    { name: 'topics-of-a-viewer', path: '/w/demo/topics', person: ben },
    { name: 'topics-none', path: '/w/empty/topics', person: ada },
    { name: 'gaps', path: '/w/demo/gaps', person: ada },
    { name: 'gaps-of-a-viewer', path: '/w/demo/gaps', person: ben },
    { name: 'gaps-done', path: '/w/demo/gaps?status=done', person: ada },
    { name: 'find', path: '/w/demo/find?q=glob', person: ben },
    { name: 'find-nothing', path: '/w/demo/find', person: ben },
    { name: 'gaps-none', path: '/w/empty/gaps', person: ada },
    { name: 'gaps-filtered-out', path: '/w/demo/gaps?engine=nothing', person: ada },
    { name: 'gap', path: gapPath('rarely cited'), person: ada },
    { name: 'gap-of-an-engine', path: gapPath('declining'), person: ada },
    { name: 'gap-of-requests', path: gapPath('blocked'), person: ben },
  ];
}
