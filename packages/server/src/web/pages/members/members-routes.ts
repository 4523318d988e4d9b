import { parseEmail } from '../../../people/email.ts';
import { invite, withdrawInvitation } from '../../../people/invitations.ts';
import { changeMember } from '../../../people/members.ts';
import { isRole } from '../../../people/roles.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import type { Refusal } from '../../../refusals.ts';
import type { Role } from '../../../storage/tables/people-tables.ts';
import { accountFaults } from '../account/accounts.ts';
import { PageFault, unreadableForm } from '../../request/page-fault.ts';
import { faultsOf, formId, readForm } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import { personOf, workspaceOf } from '../../request/visit.ts';
import type { Result, Route, Visit } from '../../request/visit.ts';
import { invitedNotice, membersPage, showMembers } from './members.ts';

const path = '/w/:slug/settings/members';

/** Members and invitations: the list, and the forms on it. */
export const membersRoutes: readonly Route[] = [
  { method: 'GET', path, role: 'viewer', run: showMembers },
  { method: 'POST', path, role: 'admin', does: 'invite someone', run: makeInvitation },
  {
    method: 'POST',
    path: `${path}/role`,
    role: 'admin',
    does: 'change a role',
    run: changeRole,
    onRefusal: refuseChange,
  },
  {
    method: 'POST',
    path: `${path}/remove`,
    role: 'admin',
    does: 'remove a member',
    run: remove,
    onRefusal: refuseChange,
  },
  {
    method: 'POST',
    path: `${path}/withdraw`,
    role: 'admin',
    does: 'withdraw an invitation',
    run: withdraw,
  },
  {
    method: 'POST',
    path: `${path}/leave`,
    role: 'viewer',
    does: 'leave a workspace',
    run: leave,
    onRefusal: refuseChange,
  },
];

async function makeInvitation(visit: Visit): Promise<Result> {
  const typed = readForm(visit.request.body, ['form', 'email', 'role']);
  const isBound = typed.email.trim() !== '';
  const faults = faultsOf({
    email: isBound ? accountFaults.email(typed.email) : undefined,
    role: isRole(typed.role) ? undefined : 'Choose a role.',
  });
  if (Object.keys(faults).length > 0 || !isRole(typed.role)) {
    return membersPage(visit, { form: { typed, faults }, status: 400 });
  }
  visit.reply.header('Cache-Control', 'no-store');
  const token = await unlessDuplicate(
    invite(visit.store.access, {
      workspaceId: workspaceOf(visit).id,
      role: typed.role,
      email: isBound ? (parseEmail(typed.email) ?? null) : null,
      userId: personOf(visit).user.id,
      clock: visit.clock,
      id: formId(typed.form),
    }),
  );
  if (token !== undefined) return membersPage(visit, { notice: invitedNotice(visit, token) });
  const notice = html`<div class="notice warn" role="alert">
    <p>
      <strong>No second invitation was made.</strong> This form was sent before. A link is shown
      once: withdraw the invitation below and make another if you have lost it.
    </p>
  </div>`;
  return membersPage(visit, { notice, status: 409 });
}

async function changeRole(visit: Visit): Promise<Result> {
  const { user, role } = readForm(visit.request.body, ['user', 'role']);
  if (!isRole(role)) throw unreadableForm('Choose a role.');
  return change(visit, user, role);
}

async function remove(visit: Visit): Promise<Result> {
  const { user } = readForm(visit.request.body, ['user']);
  return change(visit, user, null);
}

async function leave(visit: Visit): Promise<Result> {
  readForm(visit.request.body, []);
  return change(visit, personOf(visit).user.id, null);
}

async function change(visit: Visit, userId: string, role: Role | null): Promise<Result> {
  const { store, clock } = visit;
  const { id: workspaceId, slug } = workspaceOf(visit);
  const author = personOf(visit).user;
  const isMember = await changeMember(
    store,
    { workspaceId, userId, role },
    { userId: author.id, clock },
  );
  if (isMember === undefined) {
    throw new PageFault(
      404,
      'This person is not in this workspace',
      'Open the list of members again.',
    );
  }
  const place = `/w/${slug}/settings/members`;
  if (role !== null) return { redirect: place };
  return {
    redirect: userId === author.id && !author.isOperator ? '/' : `${place}?removed=${userId}`,
  };
}

async function refuseChange(visit: Visit, { code }: Refusal): Promise<Result | undefined> {
  if (code !== 'last_admin') return undefined;
  const notice = html`<div class="notice bad" role="alert">
    <p>
      <strong>Nothing was changed: a workspace keeps at least one admin.</strong> Make someone else
      an admin first.
    </p>
  </div>`;
  return membersPage(visit, { notice, status: 409 });
}

async function withdraw(visit: Visit): Promise<Result> {
  const { invitation: id } = readForm(visit.request.body, ['invitation']);
  const { id: workspaceId, slug } = workspaceOf(visit);
  const doing = { userId: personOf(visit).user.id, clock: visit.clock };
  await withdrawInvitation(visit.store.access, { workspaceId, id }, doing);
  return { redirect: `/w/${slug}/settings/members` };
}
