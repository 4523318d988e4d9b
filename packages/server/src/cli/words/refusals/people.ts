import { didYouMean, noSuch, quote } from './quote.ts';
import type { WordTable } from './word-table.ts';

export const peopleWords = {
  email_malformed: ({ text }) => [
    `${quote(text)} is not an e-mail address.`,
    'Write one such as ada@example.com.',
  ],
  user_not_found: ({ email, nearest }) => [
    noSuch('user', email),
    didYouMean(nearest, 'See `overheard user list`.'),
  ],
  user_exists: ({ email }) => [
    `A user has the address ${quote(email)} already.`,
    'Give them a role with --workspace and --role, or a new link with `overheard user link`.',
  ],
  user_disabled: ({ email }) => [
    `The user ${quote(email)} is disabled.`,
    'Let them in again with `overheard user add`.',
  ],
  last_admin: () => ['A workspace keeps at least one admin.', 'Make someone else an admin first.'],
} as const satisfies Partial<WordTable>;
