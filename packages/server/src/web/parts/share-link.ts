import { splitTarget } from '../../api/request/split-target.ts';
import { allows } from '../../people/roles.ts';
import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { shareableAt } from './shareable.ts';
import { pageTarget } from '../request/page-context.ts';
import type { SharedPage, WorkspaceContext } from '../request/page-context.ts';

/** A link to make a report link of the current page, for people who may. */
export function shareLink(context: WorkspaceContext): Content {
  const { path, search } = splitTarget(pageTarget(context));
  const page = shareableAt(path);
  if (page === undefined || !allows(context.role, 'admin')) return undefined;
  const query = new URLSearchParams({ page, ...(search !== '' && { view: search }) });
  const address = `/w/${context.workspace.slug}/settings/links?${query.toString()}`;
  return html`<a class="button small" href="${address}">Share</a>`;
}

/** The controls of a shared page, in place of the filters. */
export function sharedControls({ csv }: SharedPage, hasFile: boolean): Html {
  return html`${hasFile && html`<a class="button small" href="${csv}">Download CSV</a>`}`;
}
