import { z } from 'zod';
import { networkOf } from '../../../values/addresses/networks.ts';
import type { ListedGrant } from '../../../people/connectors/grants.ts';
import { verifyPassword } from '../../../people/password.ts';
import { nameLengthMax, parseName } from '../../../people/name.ts';
import { endSession, listSessions, renewSession } from '../../../people/sessions.ts';
import type { Session } from '../../../people/sessions.ts';
import { findByEmail, storePassword, updateProfile } from '../../../people/users.ts';
import type { User } from '../../../people/users.ts';
import { connections, endConnection } from '../connectors/connections.ts';
import { ownWorkspaces } from '../workspaces/workspaces.ts';
import { accountFaults, hashInTurn, passwordField, usernameField } from './accounts.ts';
import { writeCookies } from '../../request/cookies.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content, Html } from '../../markup/html.ts';
import { buttonForm } from '../../parts/button-form.ts';
import { checkField, selectField, textField } from '../../parts/fields.ts';
import { ago, dayWords } from '../../parts/moment-words.ts';
import { workspacePage } from '../../parts/workspace-page.ts';
import { noParameters } from '../../request/parameters.ts';
import { get, personOf, post } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';

/** The page of a person's own account. */
export const meRoutes: readonly Route[] = [
  get('/me', 'user', show),
  post('/me', 'user', 'change the own name and theme', save),
  post('/me/password', 'user', 'change the own password', changePassword),
  post('/me/sessions', 'user', 'end an own session', end),
  post('/me/connections', 'user', 'end the connection of an own assistant', endOwnConnection),
];

const themeSchema = z.enum(['system', 'light', 'dark']).catch('system');

async function show(context: PageContext): Promise<Result> {
  noParameters(context);
  return page(context, {});
}

async function save(context: PageContext): Promise<Result> {
  const { user } = personOf(context);
  const typed = readForm(context.request.body, ['name', 'theme', 'keys']);
  const faults = faultsOf({ name: accountFaults.name(typed.name) });
  if (Object.keys(faults).length > 0) return page(context, { profile: { typed, faults } }, 400);
  await updateProfile(context.store.access, user.id, {
    name: parseName(typed.name) ?? user.name,
    theme: themeSchema.parse(typed.theme),
    hasKeys: typed.keys === 'on',
  });
  return { redirect: '/me' };
}

async function changePassword(context: PageContext): Promise<Result> {
  const { session, user } = personOf(context);
  const { store, clock, request, limits } = context;
  const { current, password } = readForm(request.body, ['current', 'password']);
  const account = `session ${session.id}`;
  const seconds = limits.guesses.note({ network: account, account });
  const stored = (await findByEmail(store.access, user.email))?.password ?? null;
  const owner = { network: networkOf(request.ip), isKnown: true };
  const isRight =
    seconds === undefined &&
    (!user.hasPassword || (await limits.queue(owner, () => verifyPassword(current, stored))));
  const faults = faultsOf({
    current:
      seconds !== undefined
        ? `Wait ${seconds} s before the next try.`
        : isRight === true
          ? undefined
          : 'This is not your present password.',
    password: accountFaults.password(password),
  });
  if (Object.keys(faults).length > 0) {
    return page(context, { password: { typed: {}, faults } }, 400);
  }
  limits.guesses.forget(account);
  const hashed = await hashInTurn(context, password);
  await store.access
    .transaction()
    .execute((db) =>
      storePassword(
        db,
        { userId: user.id, password: hashed, sessionId: session.id },
        { userId: user.id, clock },
      ),
    );
  const renewed = await renewSession(store.access, session.id);
  writeCookies(context.reply, { session: renewed }, context);
  return { redirect: '/me' };
}

async function end(context: PageContext): Promise<Result> {
  const { session } = readForm(context.request.body, ['session']);
  await endSession(context.store.access, { userId: personOf(context).user.id, id: session });
  return { redirect: '/me' };
}

function endOwnConnection(context: PageContext): Promise<Result> {
  return endConnection(context, { userId: personOf(context).user.id }, { redirect: '/me' });
}

async function ownConnections(context: PageContext): Promise<Content> {
  const names = new Map((await ownWorkspaces(context)).map(({ id, name }) => [id, name]));
  const of = { title: 'Reads', cell: ({ workspace_id: id }: ListedGrant) => names.get(id) };
  const owner = { userId: personOf(context).user.id };
  return connections(context, owner, { action: '/me/connections', of });
}

async function page(
  context: PageContext,
  { profile = emptyForm, password = emptyForm }: { profile?: FormState; password?: FormState },
  status: number = 200,
): Promise<Result> {
  const { user } = personOf(context);
  const sessions = await listSessions(context.store.access, user.id, context);
  const content = html`${profilePart(user, profile)}
    <section class="panel">
      <h2>Password</h2>
      <form method="post" action="/me/password">
        ${usernameField(user.email)}
        ${user.hasPassword && textField(password, { name: 'current', label: 'Present password', type: 'password', autocomplete: 'current-password' })}
        ${passwordField(password, { label: 'New password' })}
        <p class="actions">
          <button class="button primary">Change the password</button>
          <span class="hint">It ends your other sessions. Assistants stay connected.</span>
        </p>
      </form>
    </section>
    <section>
      <h2>Sessions</h2>
      <ul class="rows">
        ${sessions.map((session) => sessionRow(context, session))}
      </ul>
    </section>
    ${await ownConnections(context)}`;
  const action = buttonForm('/sign-out', {}, 'Sign out');
  return workspacePage(context, { title: 'Your account', action, content, status });
}

function profilePart(user: User, profile: FormState): Html {
  return html`<section class="panel">
    <h2>Profile</h2>
    <form method="post" action="/me">
      <p>Address: <strong>${user.email}</strong></p>
      ${textField(profile, { name: 'name', label: 'Name', value: user.name, autocomplete: 'name', lengthMax: nameLengthMax })}
      ${selectField(profile, {
        name: 'theme',
        label: 'Theme',
        value: user.theme,
        options: [
          ['system', 'As the system has it'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ],
      })}
      ${checkField(profile, { name: 'keys', label: 'Use keyboard shortcuts on the pages', isTicked: user.hasKeys })}
      <p class="actions"><button class="button primary">Save</button></p>
    </form>
  </section>`;
}

function sessionRow(context: PageContext, session: Session): Html {
  const isOwn = session.id === personOf(context).session.id;
  return html`<li>
    <div>
      <strong>${session.browser}</strong>${isOwn && html` <span class="tag">this one</span>`}
      <p class="hint">
        Last used ${ago(session.seen_at, context.clock())}, signed in on
        ${dayWords(session.created_at)}
      </p>
    </div>
    ${!isOwn && buttonForm('/me/sessions', { session: session.id }, 'End', { look: 'danger small', label: `End the session of ${session.browser}` })}
  </li>`;
}
