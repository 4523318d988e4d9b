import { answersRoutes } from './pages/answers/answers.ts';
import { keysRoutes } from './pages/keys/keys-routes.ts';
import { membersRoutes } from './pages/members/members-routes.ts';
import { subjectsRoutes } from './pages/subjects/subjects-routes.ts';
import { authorizeRoutes } from './pages/connectors/authorize.ts';
import { collectionRoutes } from './pages/collection/collection.ts';
import { appsAndApisRoute } from './pages/competitors/apps-and-apis.ts';
import { competitorsRoutes } from './pages/competitors/competitors.ts';
import { crawlersRoutes } from './pages/crawlers/crawlers.ts';
import { dataRoutes } from './pages/data/data.ts';
import { enginesRoutes } from './pages/engines/engines.ts';
import { exportRoutes } from './pages/data/export.ts';
import { findRoutes } from './pages/find/find.ts';
import { gapsRoutes } from './pages/gaps/gaps.ts';
import { historyRoutes } from './pages/history.ts';
import { inviteRoutes } from './pages/account/invite.ts';
import { linkRoutes } from './pages/account/link.ts';
import { reportLinksRoutes } from './pages/report-links/report-links.ts';
import { sharedRoutes } from './pages/report-links/shared.ts';
import { messagesRoutes } from './pages/messages/messages.ts';
import { meRoutes } from './pages/account/me.ts';
import { operatorRoutes } from './pages/operator.ts';
import { overviewRoutes } from './pages/overview/overview.ts';
import { promptsRoutes } from './pages/prompts/prompts.ts';
import { topicsRoutes } from './pages/topics/topics.ts';
import { publishedRoutes } from './pages/reports/published-reports.ts';
import { setUpRoutes } from './pages/account/set-up.ts';
import { signInRoutes } from './pages/account/sign-in.ts';
import { askNowRoutes } from './pages/start/ask-now.ts';
import { choosePromptsRoutes } from './pages/start/choose-prompts.ts';
import { proposalRoutes } from './pages/start/proposals.ts';
import { startRoutes } from './pages/start/start.ts';
import { searchesRoutes } from './pages/searches/searches.ts';
import { stancesRoutes } from './pages/stances/stances.ts';
import { sourcesRoutes } from './pages/sources/sources.ts';
import { newWorkspaceRoutes } from './pages/workspaces/new-workspace.ts';
import { workspacesRoutes } from './pages/workspaces/workspaces.ts';
import { receiversRoutes } from './pages/receivers/receivers.ts';
import { get, pathPart, workspaceRoutes } from './request/page-context.ts';
import type { Result, Route, WorkspaceContext, WorkspaceRoute } from './request/page-context.ts';
import { findId } from '../storage/queries/find-id.ts';
import { faultOf, notFound } from './request/page-fault.ts';

/** Short addresses, as reports and tools name them, by the first characters of a row's id. */
export const shortAddressRoutes: readonly WorkspaceRoute[] = [
  shortAddress('a', 'runs', 'answers'),
  shortAddress('p', 'prompts', 'prompts'),
  shortAddress('g', 'actions', 'gaps'),
];

function shortAddress(letter: string, table: 'runs' | 'prompts' | 'actions', page: string) {
  const run = async ({ store, workspace, ...context }: WorkspaceContext): Promise<Result> => {
    const word = pathPart(context, 'id');
    const id = await findId(store.reader, { table, workspaceId: workspace.id, word });
    if (id === undefined) throw notFound();
    return { redirect: `/w/${workspace.slug}/${page}/${id}` };
  };
  const onRefusal = faultOf('id_ambiguous', notFound);
  return get(`/w/:slug/${letter}/:id`, 'viewer', run, { onRefusal });
}

/** Every page and form. */
export const routes: readonly Route[] = [
  ...setUpRoutes,
  ...signInRoutes,
  ...linkRoutes,
  ...inviteRoutes,
  ...meRoutes,
  ...authorizeRoutes,
  ...workspacesRoutes,
  ...newWorkspaceRoutes,
  ...enginesRoutes,
  ...operatorRoutes,
  ...workspaceRoutes([
    ...overviewRoutes,
    ...startRoutes,
    ...choosePromptsRoutes,
    ...proposalRoutes,
    ...askNowRoutes,
    ...competitorsRoutes,
    appsAndApisRoute,
    ...sourcesRoutes,
    ...searchesRoutes,
    ...stancesRoutes,
    ...findRoutes,
    ...gapsRoutes,
    ...crawlersRoutes,
    ...publishedRoutes,
    ...promptsRoutes,
    ...topicsRoutes,
    ...answersRoutes,
    ...subjectsRoutes,
    ...collectionRoutes,
    ...dataRoutes,
    ...exportRoutes,
    ...keysRoutes,
    ...receiversRoutes,
    ...membersRoutes,
    ...reportLinksRoutes,
    ...messagesRoutes,
    ...historyRoutes,
    ...shortAddressRoutes,
  ]),
  ...sharedRoutes,
];
