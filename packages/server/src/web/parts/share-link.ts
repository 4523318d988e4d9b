import { splitTarget } from '../../api/request/request-steps.ts';
import { allows } from '../../people/roles.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { shareableAt } from './shareable.ts';
import { pageTarget, workspaceOf } from '../request/visit.ts';
import type { SharedPage, Visit } from '../request/visit.ts';

/** A link to make a report link of the current page, for people who may. */
export function shareLink(visit: Visit): Content {
  const { path, search } = splitTarget(pageTarget(visit));
  const page = shareableAt(path);
  if (page === undefined || !allows(visit.role, 'admin')) return undefined;
  const query = new URLSearchParams({ page, ...(search !== '' && { view: search }) });
  const address = `/w/${workspaceOf(visit).slug}/settings/links?${query.toString()}`;
  return html`<a class="button small" href="${address}">Share</a>`;
}

/** The controls of a shared page, which replace the filters. */
export function sharedControls({ csv }: SharedPage, hasFile: boolean): Html {
  return html`<p class="view">
    ${hasFile && html`<a class="button small" href="${csv}">CSV</a>`}
  </p>`;
}
