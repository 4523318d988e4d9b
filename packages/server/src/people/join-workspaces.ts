import type { Role } from '../storage/tables/people-tables.ts';
import type { Store } from '../storage/store.ts';
import { Refusal } from '../refusals.ts';
import { noteEvent } from './events.ts';
import { endSetUpLinks } from './links.ts';
import { addMember } from './members.ts';
import { parseName } from './name.ts';
import { enableUser, findByEmail, getByEmail, insertUser } from './users.ts';
import type { User } from './users.ts';

/**
 * Adds or enables a user, and gives them a role in each workspace, unless they have a higher one. Says
 * whether they are new and need a link. Throws a `Refusal` if there is nothing to do.
 */
export async function joinWorkspaces(
  { access }: Store,
  {
    email,
    name,
    isOperator = false,
    workspaceIds,
    role,
    clock,
  }: {
    email: string;
    name: string | undefined;
    isOperator?: boolean;
    workspaceIds: readonly string[];
    role: Role;
    clock: () => number;
  },
): Promise<{ user: User; isNew: boolean }> {
  const doing = { userId: null, clock };
  return access.transaction().execute(async (db) => {
    const existing = (await findByEmail(db, email))?.user;
    const isNew = existing?.disabled_at !== null;
    if (!isNew && workspaceIds.length === 0) throw new Refusal('user_exists', { email });
    if (existing === undefined) {
      const displayName = name ?? parseName(email.split('@')[0] ?? '') ?? email;
      await insertUser(db, { email, name: displayName, isOperator, clock });
      await endSetUpLinks(db);
    } else if (isNew) {
      await enableUser(db, existing.id);
    }
    if (isNew) await noteEvent(db, doing, { kind: 'user_added', facts: { email } });
    const user = await getByEmail(db, email);
    for (const workspaceId of workspaceIds) {
      await addMember(db, { workspaceId, userId: user.id, role, clock });
      await noteEvent(db, doing, { workspaceId, kind: 'joined', facts: { email, role } });
    }
    return { user, isNew };
  });
}
