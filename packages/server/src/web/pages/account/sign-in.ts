import { networkOf } from '../../../values/addresses/networks.ts';
import { shellWord } from '../../../values/shell-word.ts';
import { hasUsers } from '../../../people/users.ts';
import { signIn } from '../../../people/sign-in.ts';
import { endSession } from '../../../people/sessions.ts';
import { z } from 'zod';
import { browserWords } from './browser-words.ts';
import {
  clearSessionCookie,
  dropsCookies,
  readCookie,
  writeCookies,
} from '../../request/cookies.ts';
import { emptyForm, readForm } from '../../request/forms.ts';
import type { FormState } from '../../request/forms.ts';
import { html } from '../../markup/html.ts';
import type { Content } from '../../markup/html.ts';
import { formFault, textField } from '../../parts/fields.ts';
import { narrowPage } from '../../parts/narrow-page.ts';
import { plainHttpWarning } from '../../parts/plain-http-warning.ts';
import { readParameters } from '../../request/parameters.ts';
import { personOf } from '../../request/page-context.ts';
import type { PageContext, Result, Route } from '../../request/page-context.ts';

const querySchema = z.object({ next: z.string().optional() });

/** The pages for signing in and out. */
export const signInRoutes: readonly Route[] = [
  { method: 'GET', path: '/sign-in', role: 'anyone', run: show },
  { method: 'POST', path: '/sign-in', role: 'anyone', run: submit },
  { method: 'POST', path: '/sign-out', role: 'user', does: 'sign out', run: signOut },
];

async function show(context: PageContext): Promise<Result> {
  const { next = '' } = readParameters(context, querySchema);
  if (context.session !== undefined) return { redirect: placeAfter(next) };
  if (!(await hasUsers(context.store.access))) return { redirect: '/setup' };
  return page(context, { ...emptyForm, typed: { next } });
}

async function submit(context: PageContext): Promise<Result> {
  const { store, request, reply, clock, limits } = context;
  const { email, password, next } = readForm(request.body, ['email', 'password', 'next']);
  const form: FormState = { typed: { email, next }, faults: {} };
  if (dropsCookies(request, context)) return page(context, form, undefined, 400);
  const outcome = await signIn(
    store,
    {
      email: email.slice(0, 1000),
      password,
      device: readCookie(request, 'device', context),
      network: networkOf(request.ip),
      browser: browserWords(request.headers['user-agent']),
      clock,
    },
    limits,
  );
  switch (outcome.kind) {
    case 'admitted': {
      const { session: before } = context;
      if (before !== undefined) {
        await endSession(store.access, { userId: before.user.id, id: before.id });
      }
      writeCookies(reply, outcome, context);
      return { redirect: placeAfter(next) };
    }
    case 'wait': {
      reply.header('Retry-After', String(outcome.seconds));
      const words = `Too many tries. The next one is possible in ${outcome.seconds} s.`;
      return page(context, form, words, 429);
    }
    case 'busy': {
      reply.header('Retry-After', '2');
      return page(context, form, 'Too many people are signing in. Try again in a moment.', 503);
    }
    case 'refused':
      break;
  }
  return page(context, form, 'No account has this address and password.', 403);
}

async function signOut(context: PageContext): Promise<Result> {
  readForm(context.request.body, []);
  const { session, user } = personOf(context);
  await endSession(context.store.access, { userId: user.id, id: session.id });
  clearSessionCookie(context.reply, context);
  // Removes the pages that the back button would show again, also those of the back/forward cache.
  // https://www.w3.org/TR/clear-site-data/
  context.reply.header('Clear-Site-Data', '"cache"');
  return { redirect: '/sign-in' };
}

function page(
  context: PageContext,
  form: FormState,
  fault?: Content,
  status: number = 200,
): Result {
  const { email = '' } = form.typed;
  const content = html`${plainHttpWarning(context)} ${fault !== undefined && formFault(fault)}
    <form method="post" action="/sign-in">
      <input type="hidden" name="next" value="${form.typed['next'] ?? ''}" />
      ${textField(form, { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', lengthMax: 254 })}
      ${textField(form, { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
      <p class="actions"><button class="button primary">Sign in</button></p>
    </form>
    <details>
      <summary>Lost your password?</summary>
      <p>
        Someone with access to the server’s command line makes you a link that signs you in once:
      </p>
      <pre
        tabindex="0"><code>${context.linkCommand()} ${shellWord(email === '' ? 'you@example.com' : email)}</code></pre>
    </details>`;
  return { page: narrowPage({ title: 'Sign in', assets: context.assets, content }), status };
}

/** Only a path of this server: a link must not lead elsewhere after signing in. */
function placeAfter(next: string): string {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(next) && !next.startsWith('/sign-') ? next : '/';
}
