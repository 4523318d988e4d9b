import { networkOf } from '../../../values/addresses/networks.ts';
import { parseEmail } from '../../../people/email.ts';
import { hashPassword, parsePassword, passwordLengthMin } from '../../../people/password.ts';
import { nameLengthMax, parseName } from '../../../people/name.ts';
import { PageFault } from '../../request/page-fault.ts';
import { html } from '../../markup/html.ts';
import type { Html } from '../../markup/html.ts';
import type { FormState } from '../../request/forms.ts';
import { textField } from '../../parts/fields.ts';
import type { PageContext } from '../../request/page-context.ts';

/** Checks a typed address, name or password. Returns the fault; undefined if there is none. */
export const accountFaults = {
  email: (text: string) =>
    parseEmail(text) === undefined ? 'Type an e-mail address such as ada@example.com.' : undefined,
  name: (text: string) =>
    parseName(text) === undefined
      ? `Type your name, at most ${nameLengthMax} characters.`
      : undefined,
  password: (text: string) =>
    parsePassword(text) === undefined
      ? `Use ${passwordLengthMin} to 256 characters. A few words will do.`
      : undefined,
} as const;

/** The fields of a new account. */
export function accountFields(form: FormState, { boundEmail }: { boundEmail?: string } = {}): Html {
  return html`${textField(form, { name: 'name', label: 'Your name', autocomplete: 'name', lengthMax: nameLengthMax })}
  ${
    boundEmail === undefined
      ? textField(form, {
          name: 'email',
          label: 'E-mail address',
          type: 'email',
          autocomplete: 'username',
          lengthMax: 254,
        })
      : html`<p>Your address: <strong>${boundEmail}</strong></p>
          ${usernameField(boundEmail)}<input type="hidden" name="email" value="${boundEmail}" />`
  }
  ${passwordField(form)}`;
}

/**
 * The address that a password belongs to, for password managers. It is neither shown nor sent.
 * https://www.chromium.org/developers/design-documents/create-amazing-password-forms/
 */
export function usernameField(email: string): Html {
  return html`<input type="email" value="${email}" autocomplete="username" readonly hidden />`;
}

/** A field for a new password. */
export function passwordField(
  form: FormState,
  { label = 'Password', isOptional = false }: { label?: string; isOptional?: boolean } = {},
): Html {
  return textField(form, {
    name: 'password',
    label,
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${passwordLengthMin} characters. There is no other rule: a few words are easier to remember than signs.`,
    isOptional,
  });
}

/**
 * Hashes a password when its turn comes. The browser is known, because it has a link or a session.
 */
export async function hashInTurn(
  { limits, request }: PageContext,
  password: string,
): Promise<string> {
  const hashed = await limits.queue({ network: networkOf(request.ip), isKnown: true }, () =>
    hashPassword(parsePassword(password) ?? ''),
  );
  if (hashed !== undefined) return hashed;
  throw new PageFault(503, 'Too many people are signing in', 'Nothing was changed: try again.', {
    'Retry-After': '2',
  });
}

/**
 * The fault for a one-time link that was used, has ended, or never existed. The page never reveals
 * which.
 */
export function linkEnded(): PageFault {
  return new PageFault(
    404,
    'This link does not work',
    'The link was used already, has ended, or is incomplete. Ask for a new one.',
  );
}
