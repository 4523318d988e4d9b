import type { Kysely } from 'kysely';
import type { Role } from '../storage/tables/people-tables.ts';
import type { AccessTables } from '../storage/schema.ts';
import { dayMs } from '../values/time/utc-day.ts';
import { newId } from '../values/uuid.ts';
import { foldEmail } from './email.ts';
import { noteEvent } from './events.ts';
import type { ChangeAuthor } from './events.ts';
import { addMember } from './members.ts';
import { hashToken, newToken } from './tokens.ts';

const lastsMs = 7 * dayMs;

type Db = Kysely<AccessTables>;

const columns = ['id', 'workspace_id', 'role', 'email', 'created_at', 'expires_at'] as const;

export type Invitation = Readonly<Pick<AccessTables['invitations'], (typeof columns)[number]>>;

/** Invites someone for 7 days. Returns the token, which is stored only as a hash. */
export async function invite(
  db: Db,
  {
    workspaceId,
    role,
    email,
    userId,
    clock,
    id = newId(clock),
  }: {
    workspaceId: string;
    role: Role;
    email: string | null;
    userId: string;
    clock: () => number;
    id?: string;
  },
): Promise<string> {
  const token = newToken();
  const nowMs = clock();
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('invitations')
      .values({
        id,
        hash: hashToken(token),
        workspace_id: workspaceId,
        role,
        email: email === null ? null : foldEmail(email),
        created_by: userId,
        created_at: new Date(nowMs).toISOString(),
        expires_at: new Date(nowMs + lastsMs).toISOString(),
        used_at: null,
        used_by: null,
      })
      .execute();
    const facts = { role, ...(email !== null && { email }) };
    await noteEvent(transaction, { userId, clock }, { workspaceId, kind: 'invited', facts });
  });
  return token;
}

/** The invitations of a workspace that can still be accepted, the newest first. */
export async function listInvitations(
  db: Db,
  workspaceId: string,
  { clock }: { clock: () => number },
): Promise<Invitation[]> {
  return open(db, clock)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** The invitation of a token that can still be accepted. Reading it does not use it up. */
export async function findInvitation(
  db: Db,
  token: string,
  { clock }: { clock: () => number },
): Promise<Invitation | undefined> {
  return open(db, clock).where('hash', '=', hashToken(token)).executeTakeFirst();
}

/** Withdraws an invitation that was not accepted. */
export async function withdrawInvitation(
  db: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  doing: ChangeAuthor,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('invitations')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    if (numDeletedRows !== 1n) return false;
    await noteEvent(transaction, doing, { workspaceId, kind: 'invitation_withdrawn' });
    return true;
  });
}

/**
 * Makes a user a member by an invitation, in the caller's transaction. False if the invitation has
 * ended, was used, or is for another address.
 */
export async function acceptInvitation(
  db: Db,
  token: string,
  { userId, email, clock }: { userId: string; email: string; clock: () => number },
): Promise<boolean> {
  const invitation = await findInvitation(db, token, { clock });
  if (invitation === undefined || !isFor(invitation, email)) return false;
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set({ used_at: new Date(clock()).toISOString(), used_by: userId })
    .where('id', '=', invitation.id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const { workspace_id: workspaceId, role } = invitation;
  await addMember(db, { workspaceId, userId, role, clock });
  await noteEvent(db, { userId, clock }, { workspaceId, kind: 'joined', facts: { email, role } });
  return true;
}

/** Whether an address may accept an invitation. */
export function isFor({ email: bound }: Pick<Invitation, 'email'>, email: string): boolean {
  return bound === null || bound === foldEmail(email);
}

function open(db: Db, clock: () => number) {
  return db
    .selectFrom('invitations')
    .select(columns)
    .where('used_at', 'is', null)
    .where('expires_at', '>', new Date(clock()).toISOString());
}
