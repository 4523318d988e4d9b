import type { Kysely } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { Role } from '../storage/tables/people-tables.ts';
import type { AccessTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { endGrants } from './connectors/grants.ts';
import { endMailTo } from './end-mail.ts';
import { noteEvent } from './events.ts';
import type { ChangeAuthor } from './events.ts';
import { allows } from './roles.ts';
import { renewSessionsOf } from './sessions.ts';

type Db = Kysely<AccessTables>;

export type Member = Readonly<
  Pick<AccessTables['members'], 'user_id' | 'role' | 'created_at'> &
    Pick<AccessTables['users'], 'email' | 'name' | 'disabled_at'>
>;

/** The members of a workspace, by name. */
export async function listMembers(db: Db, workspaceId: string): Promise<Member[]> {
  return db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id', 'members.role', 'members.created_at'])
    .select(['users.email', 'users.name', 'users.disabled_at'])
    .where('members.workspace_id', '=', workspaceId)
    .orderBy('users.name')
    .orderBy('users.id')
    .execute();
}

/** The user's role in the workspace; undefined if they are not a member. */
export async function roleIn(
  db: Db,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Role | undefined> {
  const row = await db
    .selectFrom('members')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role;
}

export async function workspacesOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('members')
    .select('workspace_id')
    .where('user_id', '=', userId)
    .execute();
  return rows.map((row) => row.workspace_id);
}

/** Gives a user a role, unless they have a higher one. */
export async function addMember(
  db: Db,
  {
    workspaceId,
    userId,
    role,
    clock,
  }: { workspaceId: string; userId: string; role: Role; clock: () => number },
): Promise<void> {
  const present = await roleIn(db, { workspaceId, userId });
  if (present !== undefined && allows(present, role)) return;
  await db
    .insertInto('members')
    .values({
      workspace_id: workspaceId,
      user_id: userId,
      role,
      created_at: new Date(clock()).toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doUpdateSet({ role }))
    .execute();
  await renewSessionsOf(db, userId);
}

/**
 * Changes or removes a member's role. A role below admin also ends the member's open invitations, and
 * a removed member gets no messages by mail any more.
 * Returns undefined if the person isn't a member. Throws a `Refusal` for the last admin.
 */
export async function changeMember(
  store: Store,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role | null },
  doing: ChangeAuthor,
): Promise<Member | undefined> {
  return store.access.transaction().execute(async (transaction) => {
    const admins = await lockAdmins(store, transaction, workspaceId);
    const members = await listMembers(transaction, workspaceId);
    const member = members.find((each) => each.user_id === userId);
    if (member === undefined || member.role === role) return member;
    const others = members.filter(
      (each) => each.user_id !== userId && each.disabled_at === null && admins.has(each.user_id),
    );
    if (admins.has(userId) && role !== 'admin' && others.length === 0) {
      throw new Refusal('last_admin', {});
    }
    await writeRole(transaction, { workspaceId, userId, role });
    if (role !== null && allows(role, member.role)) await renewSessionsOf(transaction, userId);
    if (role === null) {
      await endGrants(transaction, { workspaceId, userId }, doing);
      await endMailTo(transaction, { workspaceId, email: member.email });
    }
    if (role !== 'admin') {
      await transaction
        .deleteFrom('invitations')
        .where('workspace_id', '=', workspaceId)
        .where('created_by', '=', userId)
        .where('used_at', 'is', null)
        .execute();
    }
    await noteEvent(transaction, doing, {
      workspaceId,
      kind: role === null ? 'member_removed' : 'role_changed',
      facts: { email: member.email, before: member.role, ...(role !== null && { role }) },
    });
    return member;
  });
}

/**
 * Two admins who remove each other at once must not both succeed. On SQLite no other transaction
 * can write anyway.
 */
async function lockAdmins(
  store: Store,
  transaction: Db,
  workspaceId: string,
): Promise<ReadonlySet<string>> {
  const rows = await transaction
    .selectFrom('members')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', 'admin')
    .orderBy('user_id')
    .$if(store.dialect === 'postgres', (query) => query.forUpdate())
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

async function writeRole(
  db: Db,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: Role | null },
): Promise<void> {
  if (role === null) {
    await db
      .deleteFrom('members')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .execute();
    return;
  }
  await db
    .updateTable('members')
    .set({ role })
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .execute();
}
