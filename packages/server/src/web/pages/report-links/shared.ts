import { hasLogo } from '../../../people/logos.ts';
import { findReportLink, openReportLink } from '../../../people/report-links.ts';
import { readUserNames } from '../../../people/events.ts';
import { findWorkspaceById } from '../../../workspaces/workspaces.ts';
import { PageFault } from '../../request/page-fault.ts';
import { isShareable, shareablePages } from '../../parts/shareable.ts';
import type { ShareablePage } from '../../parts/shareable.ts';
import { readView } from '../../request/view.ts';
import { get, pathPart } from '../../request/page-context.ts';
import type { PageContext, Result, Route, WorkspaceContext } from '../../request/page-context.ts';
import { showCompetitors } from '../competitors/competitors.ts';
import { crawlerParameters, showCrawlers } from '../crawlers/crawlers.ts';
import { gapParameters, gapsPage } from '../gaps/gaps.ts';
import { showLogo } from './logo.ts';
import { showOverview } from '../overview/overview.ts';
import { readPromptFilters } from '../prompts/prompt-filters.ts';
import { showPrompts } from '../prompts/prompts.ts';
import { readReportQuery, showReports } from '../reports/published-reports.ts';
import { showStances } from '../stances/stances.ts';
import { showSources, sourceParameters } from '../sources/sources.ts';

/** The page that a report link shows. Ignores the query of its address. */
export const sharedRoutes: readonly Route[] = [
  get('/s/:token', 'anyone', (context) => show(context, '')),
  get('/s/:token/csv', 'anyone', (context) => show(context, 'format=csv')),
  get('/s/:token/logo', 'anyone', logo),
];

/** For each page that can be shared: how to show it, and how to check its query. */
export const sharedPages: {
  readonly [Page in ShareablePage]: {
    readonly show: (context: WorkspaceContext) => Promise<Result>;
    readonly check: (context: WorkspaceContext) => {
      readonly isCsv: boolean;
      readonly isList?: boolean;
    };
  };
} = {
  overview: { show: showOverview, check: (context) => readView(context) },
  prompts: { show: showPrompts, check: readPromptFilters },
  competitors: { show: showCompetitors, check: (context) => readView(context) },
  stances: { show: showStances, check: (context) => readView(context) },
  sources: {
    show: (context) => showSources(context),
    check: (context) => readView(context, sourceParameters),
  },
  gaps: {
    show: (context) => gapsPage(context),
    check: (context) => readView(context, gapParameters),
  },
  crawlers: { show: showCrawlers, check: (context) => readView(context, crawlerParameters) },
  reports: { show: showReports, check: readReportQuery },
};

async function show(context: PageContext, format: string): Promise<Result> {
  const { store } = context;
  checkLimit(context);
  const token = pathPart(context, 'token');
  const link = await openReportLink(store.access, token, context);
  const workspace = await findWorkspaceById(store.reader, link?.workspace_id ?? '');
  if (link === undefined || workspace === undefined || !isShareable(link.page)) {
    throw reportLinkEnded();
  }
  const query = [link.view, format].filter((part) => part !== '').join('&');
  const { path } = shareablePages[link.page];
  const names = await readUserNames(store.access, [link.created_by]);
  return sharedPages[link.page].show({
    ...context,
    workspace,
    session: undefined,
    role: 'anyone',
    reports: context.reportsOf(workspace.id),
    shared: {
      target: `/w/${workspace.slug}/${path}?${query}`,
      csv: `/s/${token}/csv`,
      hasTexts: link.has_texts,
      logo: (await hasLogo(store.access, workspace.id)) ? `/s/${token}/logo` : undefined,
      by: names.get(link.created_by),
      until: link.expires_at,
    },
  });
}

/** The logo that the page shows. It is not counted as opening the link. */
async function logo(context: PageContext): Promise<Result> {
  const { store } = context;
  checkLimit(context);
  const link = await findReportLink(store.access, pathPart(context, 'token'), context);
  const workspace = await findWorkspaceById(store.reader, link?.workspace_id ?? '');
  if (workspace === undefined) throw reportLinkEnded();
  return showLogo({ ...context, workspace });
}

/** Throws if a network opens links too often. */
function checkLimit({ reply, request, linkLimit }: PageContext): void {
  reply.header('X-Robots-Tag', 'noindex, nofollow');
  // Check the limit before looking the link up, so that nothing reveals which links exist.
  const waitSeconds = linkLimit(request.ip);
  if (waitSeconds !== undefined) {
    throw new PageFault(429, 'Too many requests', 'Try again in a minute.', {
      'Retry-After': String(waitSeconds),
    });
  }
}

/**
 * The fault for a report link that was revoked, has ended, or never existed. The page never reveals
 * which.
 */
function reportLinkEnded(): PageFault {
  return new PageFault(
    404,
    'This link does not work',
    'The link has ended, or is incomplete. Ask for a new one.',
  );
}
