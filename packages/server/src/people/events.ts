import type { Kysely } from 'kysely';
import type { AccessTables } from '../storage/schema.ts';
import { newId } from '../values/uuid.ts';

/** What is kept of who did what, and in which words it is shown. */
export const eventTitles = {
  signed_in: 'signed in',
  set_up: 'set the installation up',
  user_added: 'added a user',
  user_disabled: 'disabled a user',
  link_made: 'made a sign-in link',
  password_changed: 'changed a password',
  key_made: 'made a key',
  key_replaced: 'replaced a key',
  key_revoked: 'revoked a key',
  invited: 'invited someone',
  invitation_withdrawn: 'withdrew an invitation',
  joined: 'joined',
  role_changed: 'changed a role',
  member_removed: 'removed a member',
} as const;

export type EventKind = keyof typeof eventTitles;

/** What it was done to, in names that a person knows. Never a secret. */
export type EventFacts = Readonly<Record<string, string>>;

/** Who does something, and when. `userId` is null for the command line. */
export interface Doing {
  readonly userId: string | null;
  readonly clock: () => number;
}

/** Keeps who did what, in the transaction that does it. `workspaceId` is empty for the installation. */
export async function noteEvent(
  db: Kysely<AccessTables>,
  { userId, clock }: Doing,
  {
    workspaceId = '',
    kind,
    facts = {},
  }: { workspaceId?: string; kind: EventKind; facts?: EventFacts },
): Promise<void> {
  await db
    .insertInto('events')
    .values({
      workspace_id: workspaceId,
      id: newId(clock),
      at: new Date(clock()).toISOString(),
      user_id: userId,
      kind,
      facts: JSON.stringify(facts),
    })
    .execute();
}
