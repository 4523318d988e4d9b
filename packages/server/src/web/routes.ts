import { answersRoutes } from './pages/answers/answers-routes.ts';
import { keysRoutes } from './pages/change-keys.ts';
import { membersRoutes } from './pages/change-members.ts';
import { subjectsRoutes } from './pages/change-subject.ts';
import { collectionRoutes } from './pages/collection.ts';
import { competitorsRoutes } from './pages/competitors/competitors.ts';
import { crawlersRoutes } from './pages/crawlers.ts';
import { dataRoutes } from './pages/data.ts';
import { exportRoutes } from './pages/export.ts';
import { gapsRoutes } from './pages/gaps/gaps.ts';
import { historyRoutes } from './pages/history.ts';
import { inviteRoutes } from './pages/invite.ts';
import { linkRoutes } from './pages/link.ts';
import { reportLinksRoutes } from './pages/report-links.ts';
import { sharedRoutes } from './pages/shared.ts';
import { meRoutes } from './pages/me.ts';
import { overviewRoutes } from './pages/overview.ts';
import { promptsRoutes } from './pages/prompts/prompts-routes.ts';
import { setUpRoutes } from './pages/set-up.ts';
import { signInRoutes } from './pages/sign-in.ts';
import { sourcesRoutes } from './pages/sources/sources.ts';
import { workspacesRoutes } from './pages/workspaces.ts';
import type { Route } from './visit.ts';

/** Every page and form. */
export const routes: readonly Route[] = [
  ...setUpRoutes,
  ...signInRoutes,
  ...linkRoutes,
  ...inviteRoutes,
  ...meRoutes,
  ...workspacesRoutes,
  ...overviewRoutes,
  ...competitorsRoutes,
  ...sourcesRoutes,
  ...gapsRoutes,
  ...crawlersRoutes,
  ...promptsRoutes,
  ...answersRoutes,
  ...subjectsRoutes,
  ...collectionRoutes,
  ...dataRoutes,
  ...exportRoutes,
  ...keysRoutes,
  ...membersRoutes,
  ...reportLinksRoutes,
  ...sharedRoutes,
  ...historyRoutes,
];
