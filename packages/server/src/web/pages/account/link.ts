import { findLink } from '../../../people/links.ts';
import { signInByLink } from '../../../people/sign-in.ts';
import { endSession } from '../../../people/sessions.ts';
import { accountFaults, hashInTurn, linkEnded, passwordField, usernameField } from './accounts.ts';
import { browserWords } from './browser-words.ts';
import { dropsCookies, writeCookies } from '../../request/cookies.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { plainHttpWarning } from '../../parts/plain-http-warning.ts';
import { pathPart } from '../../request/page-context.ts';
import type { Result, Route, PageContext } from '../../request/page-context.ts';

/**
 * A one-time link that signs a user in. Opening it does not use it up, because mail scanners open
 * links.
 */
export const linkRoutes: readonly Route[] = [
  { method: 'GET', path: '/sign-in/:token', role: 'anyone', run: show },
  { method: 'POST', path: '/sign-in/:token', role: 'anyone', run: submit },
];

async function show(context: PageContext): Promise<Result> {
  return page(context, await userOf(context), emptyForm);
}

async function submit(context: PageContext): Promise<Result> {
  const { store, request, reply, clock, session: before } = context;
  const { password } = readForm(request.body, ['password']);
  const user = await userOf(context);
  const isNew = password !== '';
  const faults = faultsOf({ password: isNew ? accountFaults.password(password) : undefined });
  if (Object.keys(faults).length > 0 || dropsCookies(request, context)) {
    return page(context, user, { typed: {}, faults }, 400);
  }
  const admitted = await signInByLink(store, {
    token: pathPart(context, 'token'),
    password: isNew ? await hashInTurn(context, password) : undefined,
    browser: browserWords(request.headers['user-agent']),
    clock,
  });
  if (admitted === undefined) throw linkEnded();
  if (before !== undefined) {
    await endSession(store.access, { userId: before.user.id, id: before.id });
  }
  writeCookies(reply, admitted, context);
  return { redirect: '/' };
}

async function userOf(context: PageContext): Promise<{ email: string; name: string }> {
  const { access } = context.store;
  const link = await findLink(access, pathPart(context, 'token'), context);
  const user = await access
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', link?.user_id ?? '')
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (user === undefined) throw linkEnded();
  return user;
}

function page(
  context: PageContext,
  { email, name }: { email: string; name: string },
  form: FormState,
  status: number = 200,
): Result {
  const content = html`${plainHttpWarning(context)}
<p>You sign in as <strong>${name}</strong> (${email}). The link works once.</p>
<form method="post">
${usernameField(email)}
<details${form.faults['password'] !== undefined && html` open`}><summary>Set a new password</summary>
${passwordField(form, { label: 'New password', isOptional: true })}
<p class="hint">It ends every other session of yours. Assistants stay connected: end them under Your account.</p>
</details>
<p class="actions"><button class="button primary">Sign in</button></p>
</form>`;
  return {
    page: narrowPage({ title: 'Sign in by link', assets: context.assets, content }),
    status,
  };
}
