import { html } from '../markup/html.ts';
import type { Content, Html } from '../markup/html.ts';
import { viewLink, weekChoices } from '../request/view.ts';
import type { PageView, ViewChanges } from '../request/view.ts';
import { shareLink, sharedControls } from './share-link.ts';
import type { WorkspaceContext } from '../request/page-context.ts';

/**
 * The period as links, the page's own fields as a form, and its file. For pages that have no filter
 * of engines and locales.
 */
export function periodControls(
  context: WorkspaceContext,
  { period, weeks }: PageView,
  {
    path,
    parameters,
    hiddenParameters,
    fields,
  }: {
    /** The path of the page in its workspace. */
    path: string;
    /** The page's own parameters. */
    parameters: ViewChanges;
    /** The page's parameters without a field. */
    hiddenParameters: Readonly<Record<string, string>>;
    fields: Content;
  },
): Html {
  if (context.shared !== undefined) return sharedControls(context.shared, true);
  const days = weeks === undefined ? period : { weeks: String(weeks) };
  return html`<div class="view">
    <nav class="weeks" aria-label="Period">
      ${weekChoices.map(
        (count) =>
          html`<a
            href="${viewLink(context, path, { ...parameters, weeks: count })}"
            ${count === weeks && html` aria-current="true"`}
            >${count} weeks</a>`,
      )}
    </nav>
    <form class="filters" method="get" action="/w/${context.workspace.slug}/${path}">
      ${Object.entries({ ...days, ...hiddenParameters }).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      ${fields}
      <button class="button small">Show</button>
    </form>
    <a class="button small" href="${viewLink(context, path, { ...parameters, format: 'csv' })}">CSV</a>
    ${shareLink(context)}
  </div>`;
}
