import { sql } from 'kysely';
import type { Store } from '../storage/store.ts';
import { noteEvent } from './events.ts';
import { consumeLink, endSetUpLinks } from './links.ts';
import { addMember } from './members.ts';
import { admitUser } from './sign-in.ts';
import type { SignedIn } from './sign-in.ts';
import { hasUsers, insertUser } from './users.ts';

/**
 * Makes the first user from a set-up link, as an operator and an admin of every workspace, and
 * signs them in. If several people try at once, one succeeds and the others get undefined.
 */
export async function setUp(
  store: Store,
  {
    token,
    email,
    name,
    password,
    browser,
    clock,
  }: {
    token: string;
    email: string;
    name: string;
    /** A PHC string. */
    password: string;
    browser: string;
    clock: () => number;
  },
): Promise<SignedIn | undefined> {
  const workspaces = await store.reader.selectFrom('workspaces').select('id').execute();
  return store.access.transaction().execute(async (transaction) => {
    if (store.dialect === 'postgres') {
      await sql`lock table users in share row exclusive mode`.execute(transaction);
    }
    if (await hasUsers(transaction)) return undefined;
    if (!(await consumeLink(transaction, token, { clock }))) return undefined;
    const userId = await insertUser(transaction, {
      email,
      name,
      password,
      isOperator: true,
      clock,
    });
    for (const { id: workspaceId } of workspaces) {
      await addMember(transaction, { workspaceId, userId, role: 'admin', clock });
    }
    await endSetUpLinks(transaction);
    await noteEvent(transaction, { userId, clock }, { kind: 'set_up', facts: { email } });
    return admitUser(transaction, { userId, browser, clock });
  });
}
