/** People in a test: users with a role and a session, made by the same doors as the pages use. */
import { randomUUID } from 'node:crypto';
import { admitUser } from '../../src/people/sign-in.ts';
import { addMember } from '../../src/people/members.ts';
import { insertUser } from '../../src/people/users.ts';
import type { Role } from '../../src/storage/tables/people-tables.ts';
import type { Store } from '../../src/storage/store.ts';
import { nowMs } from '../servers/api.ts';

/** A person who is signed in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly session: string;
  readonly device: string;
}

/** Makes a user, a member of a workspace if one is named, and signs them in without a password. */
export async function newPerson(
  store: Store,
  {
    workspaceId,
    role = 'viewer',
    isOperator = false,
    password = null,
    name = 'Ada Example',
    clock = () => nowMs,
  }: {
    workspaceId?: string;
    role?: Role;
    isOperator?: boolean;
    password?: string | null;
    name?: string;
    clock?: () => number;
  } = {},
): Promise<Person> {
  const email = `person-${randomUUID().slice(0, 8)}@example.com`;
  return store.access.transaction().execute(async (db) => {
    const id = await insertUser(db, { email, name, password, isOperator, clock });
    if (workspaceId !== undefined) {
      await addMember(db, { workspaceId, userId: id, role, clock });
    }
    const { session, device = '' } = await admitUser(db, { userId: id, browser: 'a test', clock });
    return { id, email, session, device };
  });
}
