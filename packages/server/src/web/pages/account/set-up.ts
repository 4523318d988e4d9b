import { findLink } from '../../../people/links.ts';
import { parseEmail } from '../../../people/email.ts';
import { parseName } from '../../../people/name.ts';
import { setUp } from '../../../people/set-up.ts';
import { hasUsers } from '../../../people/users.ts';
import { accountFaults, accountFields, hashInTurn, linkEnded } from './accounts.ts';
import { browserWords } from './browser-words.ts';
import { dropsCookies, writeCookies } from '../../request/cookies.ts';
import { emptyForm, faultsOf, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { plainHttpWarning } from '../../parts/plain-http-warning.ts';
import { pathPart } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';

/** The page of the first start: how to get the set-up link, and its form. */
export const setUpRoutes: readonly Route[] = [
  { method: 'GET', path: '/setup', role: 'anyone', run: explain },
  { method: 'GET', path: '/setup/:token', role: 'anyone', run: show },
  { method: 'POST', path: '/setup/:token', role: 'anyone', run: submit },
];

async function explain({ store, assets, linkCommand }: PageContext): Promise<Result> {
  if (await hasUsers(store.access)) return { redirect: '/sign-in' };
  const content = html`<p>
      Overheard runs, and nobody has an account yet. Make the set-up link on the server’s command
      line, and open it here:
    </p>
    <pre tabindex="0"><code>${linkCommand()}</code></pre>
    <p class="hint">
      The link works once and for 24 hours. The first person who opens it becomes the operator.
    </p>`;
  return { page: narrowPage({ title: 'Set up Overheard', assets, content }) };
}

async function show(context: PageContext): Promise<Result> {
  await requireLink(context);
  return page(context, emptyForm);
}

async function submit(context: PageContext): Promise<Result> {
  const { store, request, reply, clock } = context;
  const typed = readForm(request.body, ['name', 'email', 'password']);
  await requireLink(context);
  const faults = faultsOf({
    name: accountFaults.name(typed.name),
    email: accountFaults.email(typed.email),
    password: accountFaults.password(typed.password),
  });
  const isLost = dropsCookies(request, context);
  if (Object.keys(faults).length > 0 || isLost) return page(context, { typed, faults }, 400);
  const admitted = await setUp(store, {
    token: pathPart(context, 'token'),
    email: parseEmail(typed.email) ?? '',
    name: parseName(typed.name) ?? '',
    password: await hashInTurn(context, typed.password),
    browser: browserWords(request.headers['user-agent']),
    clock,
  });
  if (admitted === undefined) throw linkEnded();
  writeCookies(reply, admitted, context);
  return { redirect: '/' };
}

async function requireLink(context: PageContext): Promise<void> {
  const link = await findLink(context.store.access, pathPart(context, 'token'), context);
  if (link?.user_id !== null || (await hasUsers(context.store.access))) throw linkEnded();
}

function page(context: PageContext, form: FormState, status: number = 200): Result {
  const content = html`<p>You become the operator: you may do everything, and invite others.</p>
    ${plainHttpWarning(context)}
    <form method="post">
      ${accountFields(form)}
      <p class="actions"><button class="button primary">Create the account</button></p>
    </form>`;
  return {
    page: narrowPage({ title: 'Set up Overheard', assets: context.assets, content }),
    status,
  };
}
