import { acceptInvitation, findInvitation, isFor } from '../../../people/invitations.ts';
import type { Invitation } from '../../../people/invitations.ts';
import { parseEmail } from '../../../people/email.ts';
import { parseName } from '../../../people/name.ts';
import { admitUser } from '../../../people/sign-in.ts';
import type { SignedIn } from '../../../people/sign-in.ts';
import { renewSession } from '../../../people/sessions.ts';
import { findByEmail } from '../../../people/users/find-users.ts';
import { insertUser } from '../../../people/users/insert-user.ts';
import type { User } from '../../../people/users/user.ts';
import { findWorkspaceById } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { accountFaults, accountFields, hashInTurn } from './accounts.ts';
import { browserWords } from './browser-words.ts';
import { dropsCookies, writeCookies } from '../../request/cookies.ts';
import { PageFault } from '../../request/page-fault.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { linkEnded } from './link-ended.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { plainHttpWarning } from '../../parts/plain-http-warning.ts';
import { pathPart } from '../../request/visit.ts';
import type { Result, Route, Visit } from '../../request/visit.ts';

/** The page of an invitation: a signed-in person joins, and a new person creates an account. */
export const inviteRoutes: readonly Route[] = [
  { method: 'GET', path: '/invite/:token', role: 'anyone', run: show },
  { method: 'POST', path: '/invite/:token', role: 'anyone', run: submit },
];

async function show(visit: Visit): Promise<Result> {
  const { invitation, workspace } = await find(visit);
  return page(visit, invitation, workspace, emptyForm);
}

async function submit(visit: Visit): Promise<Result> {
  const { invitation, workspace } = await find(visit);
  const redirect = `/w/${workspace.slug}/`;
  if (visit.session !== undefined) {
    readForm(visit.request.body, []);
    await join(visit, invitation, visit.session.user);
    const session = await renewSession(visit.store.access, visit.session.id);
    writeCookies(visit.reply, { session }, visit);
    return { redirect };
  }
  const typed = readForm(visit.request.body, ['name', 'email', 'password']);
  const faults = faultsOf({
    name: accountFaults.name(typed.name),
    email: accountFaults.email(typed.email) ?? (await takenFault(visit, typed.email)),
    password: accountFaults.password(typed.password),
  });
  const isLost = dropsCookies(visit.request, visit);
  if (Object.keys(faults).length > 0 || isLost) {
    return page(visit, invitation, workspace, { typed, faults }, 400);
  }
  if (!isFor(invitation, typed.email)) throw linkEnded();
  writeCookies(visit.reply, await joinAsNew(visit, typed), visit);
  return { redirect };
}

async function find(visit: Visit): Promise<{ invitation: Invitation; workspace: Workspace }> {
  const { store } = visit;
  const invitation = await findInvitation(store.access, pathPart(visit, 'token'), visit);
  const workspace = await findWorkspaceById(store.reader, invitation?.workspace_id ?? '');
  if (invitation === undefined || workspace === undefined) throw linkEnded();
  return { invitation, workspace };
}

async function takenFault({ store }: Visit, email: string): Promise<string | undefined> {
  const account = await findByEmail(store.access, email);
  return (
    account &&
    'There is an account with this address: sign in with it first, then open the link again.'
  );
}

async function join(visit: Visit, invitation: Invitation, user: User): Promise<void> {
  if (!isFor(invitation, user.email)) throw forSomeoneElse();
  const { store, clock } = visit;
  const isJoined = await store.access
    .transaction()
    .execute((db) =>
      acceptInvitation(db, pathPart(visit, 'token'), { userId: user.id, email: user.email, clock }),
    );
  if (!isJoined) throw linkEnded();
}

/** Creates the account and the membership in one transaction. */
async function joinAsNew(
  visit: Visit,
  typed: { name: string; email: string; password: string },
): Promise<SignedIn> {
  const { store, clock, request } = visit;
  const password = await hashInTurn(visit, typed.password);
  const email = parseEmail(typed.email) ?? '';
  const name = parseName(typed.name) ?? '';
  return store.access.transaction().execute(async (db) => {
    const userId = await insertUser(db, { email, name, password, clock });
    const token = pathPart(visit, 'token');
    if (!(await acceptInvitation(db, token, { userId, email, clock }))) throw linkEnded();
    return admitUser(db, { userId, browser: browserWords(request.headers['user-agent']), clock });
  });
}

function forSomeoneElse(): PageFault {
  return new PageFault(
    403,
    'The invitation is for another address',
    'Sign out, and open the link again with the account that it was made for.',
  );
}

function page(
  visit: Visit,
  invitation: Invitation,
  workspace: Workspace,
  form: FormState,
  status: number = 200,
): Result {
  const content = html`<p>
      You are invited to <strong>${workspace.name}</strong> as ${invitation.role}.
    </p>
    ${plainHttpWarning(visit)}
    ${visit.session === undefined ? newcomer(visit, invitation, form) : member(visit.session.user)}`;
  const title = `Join ${workspace.name}`;
  return { page: narrowPage({ title, assets: visit.assets, content }), status };
}

function member({ name, email }: User): Html {
  return html`<form method="post">
    <p>You join as ${name} (${email}).</p>
    <p class="actions"><button class="button primary">Join</button></p>
  </form>`;
}

function newcomer({ request }: Visit, { email }: Invitation, form: FormState): Html {
  const next = encodeURIComponent(request.url);
  return html`<form method="post">
      ${accountFields(form, email === null ? {} : { boundEmail: email })}
      <p class="actions"><button class="button primary">Create the account and join</button></p>
    </form>
    <p class="hint">
      You have an account? <a href="/sign-in?next=${next}">Sign in</a> to join with it.
    </p>`;
}
