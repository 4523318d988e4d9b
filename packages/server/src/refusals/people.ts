import { state, usage } from './define.ts';
import { didYouMean, noSuch, noSuchHere, quote } from './quote.ts';

export const peopleRefusals = {
  email_malformed: usage<{ text: string }>(({ text }) => [
    `${quote(text)} is not an e-mail address.`,
    'Write one such as ada@example.com.',
  ]),
  user_not_found: state<{ email: string; nearest?: string | undefined }>(({ email, nearest }) => [
    noSuch('user', email),
    didYouMean(nearest, 'See `overheard user list`.'),
  ]),
  member_not_found: state<{ email: string; nearest?: string | undefined }>(({ email, nearest }) => [
    noSuchHere('member', email),
    didYouMean(nearest, 'See `overheard user list`.'),
  ]),
  user_exists: state<{ email: string }>(({ email }) => [
    `A user has the address ${quote(email)} already.`,
    'Give them a role with --workspace and --role, or a new link with `overheard user link`.',
  ]),
  user_disabled: state<{ email: string }>(({ email }) => [
    `The user ${quote(email)} is disabled.`,
    'Let them in again with `overheard user add`.',
  ]),
  receiver_not_found: state<{ id: string }>(({ id }) => [
    `There is no live receiver with the id ${quote(id)}.`,
    'overheard receiver list shows the ids.',
  ]),
  connector_not_found: state<{ id: string }>(({ id }) => [
    noSuch('connection', id),
    'See `overheard connector list`.',
  ]),
  last_admin: state(() => [
    'A workspace keeps at least one admin.',
    'Make someone else an admin first.',
  ]),
};
