import { parseEmail } from '../../../people/email.ts';
import { invite, withdrawInvitation } from '../../../people/invitations.ts';
import { changeMember } from '../../../people/members.ts';
import { isRole } from '../../../people/roles.ts';
import { unlessDuplicate } from '../../../storage/duplicate.ts';
import type { Refusal } from '../../../refusals.ts';
import type { Role } from '../../../storage/tables/people-tables.ts';
import { accountFaults } from '../account/accounts.ts';
import { notInWorkspace, unreadableForm } from '../../request/page-fault.ts';
import { faultsOf, formId, readForm } from '../../request/forms.ts';
import { alertNotice } from '../../parts/fields.ts';
import { authorOf, get, personOf, post } from '../../request/page-context.ts';
import type { Result, WorkspaceRoute, WorkspaceContext } from '../../request/page-context.ts';
import { invitedNotice, membersPage, showMembers } from './members.ts';

const path = '/w/:slug/settings/members';

/** Members and invitations: the list, and the forms on it. */
export const membersRoutes: readonly WorkspaceRoute[] = [
  get(path, 'viewer', showMembers),
  post(path, 'admin', 'invite someone', makeInvitation),
  post(`${path}/role`, 'admin', 'change a role', changeRole, { onRefusal: refuseChange }),
  post(`${path}/remove`, 'admin', 'remove a member', remove, { onRefusal: refuseChange }),
  post(`${path}/withdraw`, 'admin', 'withdraw an invitation', withdraw),
  post(`${path}/leave`, 'viewer', 'leave a workspace', leave, { onRefusal: refuseChange }),
];

async function makeInvitation(context: WorkspaceContext): Promise<Result> {
  const typed = readForm(context.request.body, ['form', 'email', 'role']);
  const isBound = typed.email.trim() !== '';
  const faults = faultsOf({
    email: isBound ? accountFaults.email(typed.email) : undefined,
    role: isRole(typed.role) ? undefined : 'Choose a role.',
  });
  if (Object.keys(faults).length > 0 || !isRole(typed.role)) {
    return membersPage(context, { form: { typed, faults }, status: 400 });
  }
  context.reply.header('Cache-Control', 'no-store');
  const token = await unlessDuplicate(
    invite(context.store.access, {
      workspaceId: context.workspace.id,
      role: typed.role,
      email: isBound ? (parseEmail(typed.email) ?? null) : null,
      userId: personOf(context).user.id,
      clock: context.clock,
      id: formId(typed.form),
    }),
  );
  if (token !== undefined) return membersPage(context, { notice: invitedNotice(context, token) });
  const notice = alertNotice(
    'warn',
    'No second invitation was made.',
    'This form was sent before. A link is shown once: withdraw the invitation below and make another if you have lost it.',
  );
  return membersPage(context, { notice, status: 409 });
}

async function changeRole(context: WorkspaceContext): Promise<Result> {
  const { user, role } = readForm(context.request.body, ['user', 'role']);
  if (!isRole(role)) throw unreadableForm('Choose a role.');
  return change(context, user, role);
}

async function remove(context: WorkspaceContext): Promise<Result> {
  const { user } = readForm(context.request.body, ['user']);
  return change(context, user, null);
}

async function leave(context: WorkspaceContext): Promise<Result> {
  readForm(context.request.body, []);
  return change(context, personOf(context).user.id, null);
}

async function change(
  context: WorkspaceContext,
  userId: string,
  role: Role | null,
): Promise<Result> {
  const { id: workspaceId, slug } = context.workspace;
  const author = personOf(context).user;
  const wish = { workspaceId, userId, role };
  const isMember = await changeMember(context.store, wish, authorOf(context));
  if (isMember === undefined) throw notInWorkspace('person');
  const place = `/w/${slug}/settings/members`;
  if (role !== null) return { redirect: place };
  return {
    redirect: userId === author.id && !author.isOperator ? '/' : `${place}?removed=${userId}`,
  };
}

async function refuseChange(
  context: WorkspaceContext,
  { code }: Refusal,
): Promise<Result | undefined> {
  if (code !== 'last_admin') return undefined;
  const notice = alertNotice(
    'bad',
    'Nothing was changed: a workspace keeps at least one admin.',
    'Make someone else an admin first.',
  );
  return membersPage(context, { notice, status: 409 });
}

async function withdraw(context: WorkspaceContext): Promise<Result> {
  const { invitation: id } = readForm(context.request.body, ['invitation']);
  const { id: workspaceId, slug } = context.workspace;
  await withdrawInvitation(context.store.access, { workspaceId, id }, authorOf(context));
  return { redirect: `/w/${slug}/settings/members` };
}
