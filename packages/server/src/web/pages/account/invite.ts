import { acceptInvitation, findInvitation, isFor } from '../../../people/invitations.ts';
import type { Invitation } from '../../../people/invitations.ts';
import { parseEmail } from '../../../people/email.ts';
import { parseName } from '../../../people/name.ts';
import { admitUser } from '../../../people/sign-in.ts';
import type { SignedIn } from '../../../people/sign-in.ts';
import { renewSession } from '../../../people/sessions.ts';
import { findByEmail, insertUser } from '../../../people/users.ts';
import type { User } from '../../../people/users.ts';
import { findWorkspaceById } from '../../../workspaces/workspaces.ts';
import type { Workspace } from '../../../workspaces/workspaces.ts';
import { accountFaults, accountFields, hashInTurn, linkEnded } from './accounts.ts';
import { browserWords } from './browser-words.ts';
import { dropsCookies, writeCookies } from '../../request/cookies.ts';
import { PageFault } from '../../request/page-fault.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { plainHttpWarning } from '../../parts/plain-http-warning.ts';
import { pathPart } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';

/** The page of an invitation: a signed-in person joins, and a new person creates an account. */
export const inviteRoutes: readonly Route[] = [
  { method: 'GET', path: '/invite/:token', role: 'anyone', run: show },
  { method: 'POST', path: '/invite/:token', role: 'anyone', run: submit },
];

async function show(context: PageContext): Promise<Result> {
  const { invitation, workspace } = await find(context);
  return page(context, invitation, workspace, emptyForm);
}

async function submit(context: PageContext): Promise<Result> {
  const { invitation, workspace } = await find(context);
  const redirect = `/w/${workspace.slug}/`;
  if (context.session !== undefined) {
    readForm(context.request.body, []);
    await join(context, invitation, context.session.user);
    const session = await renewSession(context.store.access, context.session.id);
    writeCookies(context.reply, { session }, context);
    return { redirect };
  }
  const typed = readForm(context.request.body, ['name', 'email', 'password']);
  const faults = faultsOf({
    name: accountFaults.name(typed.name),
    email: accountFaults.email(typed.email) ?? (await takenFault(context, typed.email)),
    password: accountFaults.password(typed.password),
  });
  const isLost = dropsCookies(context.request, context);
  if (Object.keys(faults).length > 0 || isLost) {
    return page(context, invitation, workspace, { typed, faults }, 400);
  }
  if (!isFor(invitation, typed.email)) throw linkEnded();
  writeCookies(context.reply, await joinAsNew(context, typed), context);
  return { redirect };
}

async function find(
  context: PageContext,
): Promise<{ invitation: Invitation; workspace: Workspace }> {
  const { store } = context;
  const invitation = await findInvitation(store.access, pathPart(context, 'token'), context);
  const workspace = await findWorkspaceById(store.reader, invitation?.workspace_id ?? '');
  if (invitation === undefined || workspace === undefined) throw linkEnded();
  return { invitation, workspace };
}

async function takenFault({ store }: PageContext, email: string): Promise<string | undefined> {
  const account = await findByEmail(store.access, email);
  return (
    account &&
    'There is an account with this address: sign in with it first, then open the link again.'
  );
}

async function join(context: PageContext, invitation: Invitation, user: User): Promise<void> {
  if (!isFor(invitation, user.email)) {
    throw new PageFault(
      403,
      'The invitation is for another address',
      'Sign out, and open the link again with the account that it was made for.',
    );
  }
  const { store, clock } = context;
  const isJoined = await store.access.transaction().execute((db) =>
    acceptInvitation(db, pathPart(context, 'token'), {
      userId: user.id,
      email: user.email,
      clock,
    }),
  );
  if (!isJoined) throw linkEnded();
}

/** Creates the account and the membership in one transaction. */
async function joinAsNew(
  context: PageContext,
  typed: { name: string; email: string; password: string },
): Promise<SignedIn> {
  const { store, clock, request } = context;
  const password = await hashInTurn(context, typed.password);
  const email = parseEmail(typed.email) ?? '';
  const name = parseName(typed.name) ?? '';
  return store.access.transaction().execute(async (db) => {
    const userId = await insertUser(db, { email, name, password, clock });
    const token = pathPart(context, 'token');
    if (!(await acceptInvitation(db, token, { userId, email, clock }))) throw linkEnded();
    return admitUser(db, { userId, browser: browserWords(request.headers['user-agent']), clock });
  });
}

function page(
  context: PageContext,
  invitation: Invitation,
  workspace: Workspace,
  form: FormState,
  status: number = 200,
): Result {
  const content = html`<p>
      You are invited to <strong>${workspace.name}</strong> as ${invitation.role}.
    </p>
    ${plainHttpWarning(context)}
    ${context.session === undefined ? newcomer(context, invitation, form) : member(context.session.user)}`;
  const title = `Join ${workspace.name}`;
  return { page: narrowPage({ title, assets: context.assets, content }), status };
}

function member({ name, email }: User): Html {
  return html`<form method="post">
    <p>You join as ${name} (${email}).</p>
    <p class="actions"><button class="button primary">Join</button></p>
  </form>`;
}

function newcomer({ request }: PageContext, { email }: Invitation, form: FormState): Html {
  const next = encodeURIComponent(request.url);
  return html`<form method="post">
      ${accountFields(form, email === null ? {} : { boundEmail: email })}
      <p class="actions"><button class="button primary">Create the account and join</button></p>
    </form>
    <p class="hint">
      You have an account? <a href="/sign-in?next=${next}">Sign in</a> to join with it.
    </p>`;
}
