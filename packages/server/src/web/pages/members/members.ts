import { z } from 'zod';
import { listKeys } from '../../../access/keys.ts';
import type { ListedKey } from '../../../access/keys.ts';
import { listInvitations } from '../../../people/invitations.ts';
import type { Invitation } from '../../../people/invitations.ts';
import { listMembers } from '../../../people/members.ts';
import type { Member } from '../../../people/members.ts';
import { isOpenLink, listReportLinks } from '../../../people/report-links.ts';
import type { ReportLink } from '../../../people/report-links.ts';
import { allows, roles } from '../../../people/roles.ts';
import { newId } from '../../../values/uuid.ts';
import { plural } from '../../../values/plural.ts';
import { emptyForm } from '../../request/forms.ts';
import type { FormOutcome, FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm, confirmForm, hiddenFields } from '../../parts/button-form.ts';
import { copyableText } from '../../parts/copyable-text.ts';
import { selectField, textField } from '../../parts/fields.ts';
import { dayWords, endTime } from '../../parts/moment-words.ts';
import { table } from '../../parts/table.ts';
import type { Columns } from '../../parts/table.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { readParameters } from '../../request/parameters.ts';
import { personOf } from '../../request/page-context.ts';
import type { Result, WorkspaceContext } from '../../request/page-context.ts';
import { revokeForm } from '../report-links/report-link-list.ts';

const querySchema = z.object({ removed: z.uuid().optional() });

/** Shows the members of a workspace and their roles. */
export async function showMembers(context: WorkspaceContext): Promise<Result> {
  const { removed } = readParameters(context, querySchema);
  const notice = removed === undefined ? undefined : await leftByRemoved(context, removed);
  return membersPage(context, { notice });
}

/** Shows the page with the faults of a form, or with a new invitation. */
export async function membersPage(
  context: WorkspaceContext,
  { form = emptyForm, notice, status = 200 }: FormOutcome,
): Promise<Result> {
  const { store } = context;
  const { id } = context.workspace;
  const members = await listMembers(store.access, id);
  const mayChange = allows(context.role, 'admin');
  const content = html`${notice} ${mayChange && inviteForm(context, form)}
    <section>
      <h2>${members.length === 0 ? 'No member yet' : plural(members.length, 'member')}</h2>
      ${table({ columns: memberColumns(context), empty: 'Operators see every workspace without being a member.' }, members)}
    </section>
    ${mayChange && (await invitationList(context))}`;
  const lead =
    'Viewers read every page, editors change what is tracked, admins also manage keys and members.';
  return workspacePage(context, { title: 'People', lead, content, status });
}

/** The link of an invitation, shown once. */
export function invitedNotice({ publicUrl }: WorkspaceContext, token: string): Html {
  return html`<section class="notice good" aria-labelledby="invited">
    <h2 id="invited">
      The invitation is made. Send this link to the person: it is not shown again.
    </h2>
    ${copyableText('invitation', `${publicUrl()}/invite/${token}`, 'The link of the invitation')}
    <p class="hint">It works once, for 7 days. Overheard sends no mail.</p>
  </section>`;
}

function inviteForm(context: WorkspaceContext, form: FormState): Html {
  return html`<section class="panel">
    <h2>Invite someone</h2>
    <form method="post" class="inline" action="${placeOf(context)}">
      <input type="hidden" name="form" value="${newId(context.clock)}" />
      ${textField(form, { name: 'email', label: 'E-mail address (optional)', type: 'email', isOptional: true, lengthMax: 254, key: 'n' })}
      ${selectField(form, { name: 'role', label: 'Role', options: roles.map((role) => [role, role] as const), value: 'viewer' })}
      <button class="button primary">Make the invitation</button>
    </form>
    <p class="hint">With an address, only an account of that address can accept.</p>
  </section>`;
}

function memberColumns(context: WorkspaceContext): Columns<Member> {
  const { id } = personOf(context).user;
  const mayChange = allows(context.role, 'admin');
  return [
    {
      title: 'Name',
      cell: ({ name, user_id: userId, disabled_at: disabledAt }) =>
        html`${name}${userId === id && html` <span class="tag">you</span>`}${disabledAt !== null && html` <span class="tag">disabled</span>`}`,
    },
    { title: 'Address', cell: ({ email }) => email },
    { title: 'Role', cell: ({ role }) => role },
    { title: 'Since', cell: ({ created_at: at }) => dayWords(at) },
    {
      title: 'Change',
      cell: (member) =>
        mayChange ? changes(context, member) : member.user_id === id && leaveForm(context),
      isAction: true,
    },
  ];
}

function changes(context: WorkspaceContext, { user_id: userId, name, role }: Member): Html {
  const place = placeOf(context);
  return html`<details>
      <summary aria-label="Change the role of ${name}">Role</summary>
      <form method="post" action="${place}/role">
        ${hiddenFields({ user: userId })}
        <div class="field">
          <label for="role-${userId}">Role of ${name}</label><select id="role-${userId}" name="role">
            ${roles.map(
              (each) =>
                html`<option value="${each}" ${each === role && html` selected`}>${each}</option>`,
            )}
          </select>
        </div>
        <button class="button small primary">Change the role</button>
      </form>
    </details>
    ${confirmForm(`${place}/remove`, { user: userId }, { opens: 'Remove', label: `Remove ${name}`, hint: 'Keys that they made go on working until you revoke them.', words: 'Remove from the workspace' })}`;
}

function leaveForm(context: WorkspaceContext): Html {
  const hint = 'You need an invitation to come back.';
  const words = 'Leave the workspace';
  return confirmForm(`${placeOf(context)}/leave`, {}, { opens: 'Leave', hint, words });
}

async function invitationList(context: WorkspaceContext): Promise<Content> {
  const { store, clock } = context;
  const open = await listInvitations(store.access, context.workspace.id, { clock });
  if (open.length === 0) return undefined;
  return html`<section>
    <h2>Open invitations</h2>
    <ul class="rows">
      ${open.map((each) => invitationRow(context, each))}
    </ul>
  </section>`;
}

function invitationRow(
  context: WorkspaceContext,
  { id, email, role, expires_at }: Invitation,
): Html {
  const who = email ?? 'anyone with the link';
  return html`<li>
    <div>
      <strong>${who}</strong> <span class="tag">${role}</span>
      <p class="hint">Ends ${endTime(expires_at, context.clock())}</p>
    </div>
    ${buttonForm(`${placeOf(context)}/withdraw`, { invitation: id }, 'Withdraw', { look: 'small danger', label: `Withdraw the invitation of ${who}` })}
  </li>`;
}

/** Lists the live keys and report links of a removed person, so that they can be revoked. */
async function leftByRemoved(context: WorkspaceContext, userId: string): Promise<Content> {
  const { store, clock } = context;
  const { id: workspaceId } = context.workspace;
  const keys = (await listKeys(store, { workspaceId })).filter(
    (key) =>
      key.created_by === userId &&
      key.revoked_at === null &&
      (key.expires_at === null || Date.parse(key.expires_at) > clock()),
  );
  const links = (await listReportLinks(store.access, workspaceId)).filter(
    (link) => link.created_by === userId && isOpenLink(link, clock()),
  );
  const left = keys.length + links.length;
  if (left === 0) {
    return html`<div class="notice good" role="status">
      <p>The member was removed. They made no key or report link that still works.</p>
    </div>`;
  }
  return html`<section class="notice warn" aria-labelledby="left">
    <h2 id="left">
      The member was removed. What they made still works:
      ${keys.length > 0 && plural(keys.length, 'key')}
      ${links.length > 0 && plural(links.length, 'report link')}
    </h2>
    <ul class="rows">
      ${keys.map((key) => leftKey(context, key))} ${links.map((link) => leftLink(context, link))}
    </ul>
  </section>`;
}

function leftLink(context: WorkspaceContext, link: ReportLink): Html {
  return html`<li>
    <span><strong>${link.name}</strong> ${link.page}</span>
    ${allows(context.role, 'admin') && revokeForm(context, link)}
  </li>`;
}

function leftKey(context: WorkspaceContext, { id, name, last_four }: ListedKey): Html {
  const action = `/w/${context.workspace.slug}/settings/keys/revoke`;
  const label = `Revoke ${name} …${last_four}`;
  return html`<li>
    <span><strong>${name}</strong> <code>…${last_four}</code></span>${allows(context.role, 'admin') && buttonForm(action, { key: id }, 'Revoke', { look: 'small danger', label })}
  </li>`;
}

function placeOf(context: WorkspaceContext): string {
  return `/w/${context.workspace.slug}/settings/members`;
}
