import { openReportLink } from '../../../people/report-links.ts';
import { findWorkspaceById } from '../../../workspaces/workspaces.ts';
import { PageFault } from '../../request/page-fault.ts';
import { isShareable, shareablePages } from '../../parts/shareable.ts';
import type { ShareablePage } from '../../parts/shareable.ts';
import { readView } from '../../request/view.ts';
import { pathPart } from '../../request/visit.ts';
import type { Result, Route, Visit } from '../../request/visit.ts';
import { showCompetitors } from '../competitors/competitors.ts';
import { crawlerParameters, showCrawlers } from '../crawlers/crawlers.ts';
import { gapParameters, gapsPage } from '../gaps/gaps.ts';
import { showOverview } from '../overview/overview.ts';
import { readPromptFilters } from '../prompts/prompt-filters.ts';
import { showPrompts } from '../prompts/prompts-routes.ts';
import { showSources, sourceParameters } from '../sources/sources.ts';

/** The page that a report link shows. Ignores the query of its address. */
export const sharedRoutes: readonly Route[] = [
  { method: 'GET', path: '/s/:token', role: 'anyone', run: (visit) => show(visit, '') },
  {
    method: 'GET',
    path: '/s/:token/csv',
    role: 'anyone',
    run: (visit) => show(visit, 'format=csv'),
  },
];

/** For each page that can be shared: how to show it, and how to check its query. */
export const sharedPages: {
  readonly [Page in ShareablePage]: {
    readonly show: (visit: Visit) => Promise<Result>;
    readonly check: (visit: Visit) => { readonly isCsv: boolean };
  };
} = {
  overview: { show: showOverview, check: (visit) => readView(visit) },
  prompts: { show: showPrompts, check: readPromptFilters },
  competitors: { show: showCompetitors, check: (visit) => readView(visit) },
  sources: {
    show: (visit) => showSources(visit),
    check: (visit) => readView(visit, sourceParameters),
  },
  gaps: { show: (visit) => gapsPage(visit), check: (visit) => readView(visit, gapParameters) },
  crawlers: { show: showCrawlers, check: (visit) => readView(visit, crawlerParameters) },
};

async function show(visit: Visit, format: string): Promise<Result> {
  const { reply, request, store, linkLimit } = visit;
  reply.header('X-Robots-Tag', 'noindex, nofollow');
  // Check the limit before looking the link up, so that nothing reveals which links exist.
  const waitSeconds = linkLimit(request.ip);
  if (waitSeconds !== undefined) {
    throw new PageFault(429, 'Too many requests', 'Try again in a minute.', {
      'Retry-After': String(waitSeconds),
    });
  }
  const token = pathPart(visit, 'token');
  const link = await openReportLink(store.access, token, visit);
  const workspace = await findWorkspaceById(store.reader, link?.workspace_id ?? '');
  if (link === undefined || workspace === undefined || !isShareable(link.page)) {
    throw reportLinkEnded();
  }
  const query = [link.view, format].filter((part) => part !== '').join('&');
  const { path } = shareablePages[link.page];
  return sharedPages[link.page].show({
    ...visit,
    workspace,
    session: undefined,
    role: 'anyone',
    reports: visit.reportsOf(workspace.id),
    shared: {
      target: `/w/${workspace.slug}/${path}?${query}`,
      csv: `/s/${token}/csv`,
      hasTexts: link.has_texts,
    },
  });
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
