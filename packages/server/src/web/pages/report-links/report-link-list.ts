import { isOpenLink, listReportLinks, reportLinkDays } from '../../../people/report-links.ts';
import type { ReportLink } from '../../../people/report-links.ts';
import { hasLogo, logoBytesMax } from '../../../people/logos.ts';
import { listMembers } from '../../../people/members.ts';
import { allows } from '../../../people/roles.ts';
import { readUserNames } from '../../../people/events.ts';
import { plural } from '../../../values/plural.ts';
import { newId } from '../../../values/uuid.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormOutcome, FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { checkField, fileField, textField } from '../../parts/fields.ts';
import { ago, dayWords, endTime } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { isShareable, shareablePages } from '../../parts/shareable.ts';
import type { ShareablePage } from '../../parts/shareable.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';

/** A page with its period and filters. */
interface ChosenPage {
  readonly page: ShareablePage;
  /** The query of the page. */
  readonly view: string;
}

/** Shows the report links of a workspace, with the faults of a form, or with a new link. */
export async function reportLinksPage(
  context: WorkspaceContext,
  { chosenPage, form = emptyForm, notice, status = 200 }: FormOutcome & { chosenPage: ChosenPage },
): Promise<Result> {
  const { access } = context.store;
  const { id } = context.workspace;
  const links = await listReportLinks(access, id);
  const makers = links.flatMap((each) => [each.created_by, each.revoked_by]);
  const names = await readUserNames(access, makers);
  const members = new Set((await listMembers(access, id)).map((member) => member.user_id));
  const mayChange = allows(context.role, 'admin');
  const content = html`${notice} ${mayChange && newLinkForm(context, chosenPage, form)}
    <section>
      <h2>${links.length === 0 ? 'No report link yet' : plural(links.length, 'report link')}</h2>
      ${table(
        {
          caption: 'Report links',
          columns: columnsOf(context, names, members),
          empty: mayChange
            ? 'Choose a page, or open one, set its filters and press Share.'
            : 'Only an admin of the workspace can make one.',
        },
        links,
      )}
    </section>
    ${mayChange && logoPart(context, await hasLogo(access, id))}`;
  const lead =
    'A report link shows one page of this workspace, with its period and filters, to everyone who has it.';
  return workspacePage(context, { title: 'Report links', lead, content, status });
}

/** Shows a new link, once. */
export function newLinkNotice(
  { publicUrl }: WorkspaceContext,
  { token, name }: { token: string; name: string },
): Html {
  return html`<section class="notice good" aria-labelledby="made">
    <h2 id="made">The link for “${name}” is made. Copy it now: it is not shown again.</h2>
    ${copyableText('report-link', `${publicUrl()}/s/${token}`, 'The report link')}
    <p class="hint">Only its hash is stored.</p>
  </section>`;
}

function newLinkForm(context: WorkspaceContext, { page, view }: ChosenPage, form: FormState): Html {
  const place = `/w/${context.workspace.slug}/settings/links`;
  return html`<section class="panel">
    <h2>New link to ${shareablePages[page].title}</h2>
    <p>${viewWords(view)}</p>
    <p class="hint">
      Another page:
      ${Object.keys(shareablePages)
        .filter(isShareable)
        .filter((each) => each !== page && each !== 'reports')
        .map((each) => html`<a href="${place}?page=${each}">${shareablePages[each].title}</a> `)}
      To choose a period and filters, open the page, set them and press Share.
    </p>
    <form method="post" action="${place}">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      <input type="hidden" name="page" value="${page}" />
      <input type="hidden" name="view" value="${view}" />
      ${textField(form, { name: 'name', label: 'For whom it is', lengthMax: 100, key: 'n' })}
      ${textField(form, { name: 'days', label: `Days until it ends, 1 to ${reportLinkDays.max}`, value: String(reportLinkDays.usual), lengthMax: 3 })}
      ${checkField(form, { name: 'texts', label: 'Show what engines said, and evidence' })}
      <button class="button primary">Make the link</button>
    </form>
  </section>`;
}

function logoPart(context: WorkspaceContext, isSet: boolean): Html {
  const place = `/w/${context.workspace.slug}/settings/links/logo`;
  return html`<section class="panel" id="logo">
    <h2>Logo</h2>
    ${
      isSet &&
      html`<p><img class="logo" src="${place}" alt="The logo of report links" /></p>
        ${buttonForm(`${place}/remove`, {}, 'Remove the logo', { look: 'small danger' })}`
    }
    <form method="post" enctype="multipart/form-data" action="${place}">
      ${fileField(emptyForm, { name: 'file', label: `A PNG of at most ${logoBytesMax / 1000} KB`, hint: 'Everyone with a report link sees it. Only its pixels are kept.' })}
      <button class="button">${isSet ? 'Replace the logo' : 'Show this logo'}</button>
    </form>
  </section>`;
}

/** The period and filters of a page in words. */
function viewWords(view: string): string {
  const { from, to, weeks = '4', id, ...filters } = Object.fromEntries(new URLSearchParams(view));
  if (id !== undefined) return 'As it was published.';
  const period =
    from === undefined && to === undefined
      ? `The last ${weeks} weeks, whenever it is opened`
      : `${from === undefined ? 'Up to' : `From ${from} to`} ${to ?? 'the day on which it is opened'}`;
  const words = Object.entries(filters)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`);
  return `${[period, ...words].join('; ')}.`;
}

function columnsOf(
  context: WorkspaceContext,
  names: ReadonlyMap<string, string>,
  members: ReadonlySet<string>,
): Columns<ReportLink> {
  const nowMs = context.clock();
  const nameOf = (id: string | null): string => names.get(id ?? '') ?? 'the server';
  return [
    { title: 'For', cell: ({ name }) => name },
    {
      title: 'Page',
      cell: ({ page, view, has_texts: hasTexts }) =>
        html`${isShareable(page) ? shareablePages[page].title : page}<span class="hint">
            ${viewWords(view)} ${hasTexts && 'With texts and evidence.'}</span>`,
    },
    {
      title: 'Made',
      cell: (link) =>
        html`${ago(link.created_at, nowMs)} by
        ${nameOf(link.created_by)}${!members.has(link.created_by) && html` <span class="tag">not a member</span>`}`,
    },
    {
      title: 'Ends',
      cell: (link) =>
        link.revoked_at === null
          ? endTime(link.expires_at, nowMs)
          : `revoked ${dayWords(link.revoked_at)} by ${nameOf(link.revoked_by)}`,
    },
    {
      title: 'Opened',
      cell: ({ opened }) => (opened === 0 ? 'never' : plural(opened, 'time')),
      isNumber: true,
    },
    { title: 'Last opened', cell: ({ opened_at: at }) => (at === null ? 'never' : ago(at, nowMs)) },
    {
      title: 'Change',
      cell: (link) =>
        allows(context.role, 'admin') && isOpenLink(link, nowMs) && revokeForm(context, link),
    },
  ];
}

/** The button that revokes a report link. */
export function revokeForm(
  context: WorkspaceContext,
  { id, name }: Pick<ReportLink, 'id' | 'name'>,
): Html {
  return buttonForm(`/w/${context.workspace.slug}/settings/links/revoke`, { link: id }, 'Revoke', {
    look: 'small danger',
    label: `Revoke the report link for ${name}`,
  });
}
