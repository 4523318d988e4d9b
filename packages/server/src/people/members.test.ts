import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { openStore } from '../storage/open/open-store.ts';
import {
  acceptInvitation,
  findInvitation,
  invite,
  listInvitations,
  withdrawInvitation,
} from './invitations.ts';
import { addMember, changeMember, listMembers, roleIn, workspacesOf } from './members.ts';
import { findSession } from './sessions.ts';
import { disableUser } from './users.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const clock = (): number => startMs;
const dayMs = 24 * 3_600_000;

eachStore('members', (open) => {
  test('the last admin keeps the role, also if two admins remove each other at once', async () => {
    const { store, url } = await open();
    const workspaceId = await aWorkspace(store);
    const [ada, ben] = [
      await newPerson(store, { workspaceId, role: 'admin' }),
      await newPerson(store, { workspaceId, role: 'admin' }),
    ];
    const other = await openStore(url);
    try {
      const outcomes = await Promise.allSettled([
        changeMember(store, { workspaceId, userId: ada.id, role: null }, { userId: ben.id, clock }),
        changeMember(
          other,
          { workspaceId, userId: ben.id, role: 'viewer' },
          { userId: ada.id, clock },
        ),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const members = await listMembers(store.access, workspaceId);
      expect(members.filter(({ role }) => role === 'admin')).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  test('a disabled admin does not count as one', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const [ada, ben] = [
      await newPerson(store, { workspaceId, role: 'admin' }),
      await newPerson(store, { workspaceId, role: 'admin' }),
    ];
    await disableUser(store.access, ben.email, { userId: null, clock });
    const leave = changeMember(
      store,
      { workspaceId, userId: ada.id, role: 'editor' },
      { userId: ada.id, clock },
    );
    await expect(leave).rejects.toThrow('last_admin');
  });

  test('an invitation is accepted once, within 7 days, by the address that it names', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const admin = await newPerson(store, { workspaceId, role: 'admin', clock });
    const [ben, eve] = [await newPerson(store, { clock }), await newPerson(store, { clock })];
    const email = ben.email.toUpperCase();
    const words = { workspaceId, role: 'editor', email, userId: admin.id, clock } as const;
    const token = await invite(store.access, words);
    const late = () => startMs + 7 * dayMs;
    expect(await findInvitation(store.access, token, { clock: late })).toBeUndefined();
    const accept = ({ id, email: own }: typeof ben) =>
      store.access
        .transaction()
        .execute((db) => acceptInvitation(db, token, { userId: id, email: own, clock }));
    expect(await accept(eve)).toBe(false);
    expect(await accept(ben)).toBe(true);
    expect(await accept(ben)).toBe(false);
    expect(await roleIn(store.access, { workspaceId, userId: ben.id })).toBe('editor');
    const found = await findSession(store.access, ben.session, { clock });
    expect(found?.mustRenew).toBe(true);
  });

  test("an admin's open invitations end with the role, and a lower role never replaces a higher", async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const [ada, ben] = [
      await newPerson(store, { workspaceId, role: 'admin', clock }),
      await newPerson(store, { workspaceId, role: 'admin', clock }),
    ];
    const words = { workspaceId, role: 'admin', email: null, userId: ben.id, clock } as const;
    const token = await invite(store.access, words);
    await addMember(store.access, { workspaceId, userId: ben.id, role: 'viewer', clock });
    expect(await roleIn(store.access, { workspaceId, userId: ben.id })).toBe('admin');
    const doing = { userId: ada.id, clock };
    await changeMember(store, { workspaceId, userId: ben.id, role: 'editor' }, doing);
    expect(await findInvitation(store.access, token, { clock })).toBeUndefined();
    expect(await listInvitations(store.access, workspaceId, { clock })).toEqual([]);
  });

  test('a removed member gets no mail of the workspace any more, and a disabled user none at all', async () => {
    const { store } = await open();
    const [workspaceId, elsewhere] = [await aWorkspace(store), await aWorkspace(store)];
    const ada = await newPerson(store, { workspaceId, role: 'admin', clock });
    const ben = await newPerson(store, { workspaceId, role: 'viewer', clock });
    const members = await listMembers(store.access, workspaceId);
    const emailOf = (id: string) => members.find(({ user_id: of }) => of === id)?.email ?? '';
    const recipients = [
      [workspaceId, emailOf(ada.id)],
      [workspaceId, emailOf(ben.id).toUpperCase()],
      [elsewhere, emailOf(ben.id)],
    ] as const;
    for (const [index, [of, email]] of recipients.entries()) {
      const row = { id: idOf(index), workspace_id: of, address: `mailto:${email}`, secret: '' };
      const created = { created_by: null, created_at: new Date(startMs).toISOString() };
      await store.access
        .insertInto('recipients')
        .values({ ...row, ...created })
        .execute();
      const message = { workspace_id: of, message_id: idOf(9), recipient_id: row.id, attempts: 0 };
      const delivery = { ...message, next_at: created.created_at, sent_at: null, fault: null };
      await store.access.insertInto('deliveries').values(delivery).execute();
    }
    const leave = { workspaceId, userId: ben.id, role: null };
    await changeMember(store, leave, { userId: ada.id, clock });
    const left = await store.access.selectFrom('recipients').select('id').execute();
    expect(left.map(({ id }) => id).toSorted()).toEqual([idOf(0), idOf(2)]);
    const waiting = () => store.access.selectFrom('deliveries').select('recipient_id').execute();
    const ids = (await waiting()).map(({ recipient_id: id }) => id);
    expect(ids.toSorted()).toEqual([idOf(0), idOf(2)]);
    await disableUser(store.access, emailOf(ben.id), { userId: null, clock });
    expect(await waiting()).toEqual([{ recipient_id: idOf(0) }]);
  });

  test('a withdrawn invitation opens nothing, and another workspace withdraws none', async () => {
    const { store } = await open();
    const [workspaceId, foreign] = [await aWorkspace(store), await aWorkspace(store)];
    const ada = await newPerson(store, { workspaceId, role: 'admin', clock });
    const words = { workspaceId, role: 'viewer', email: null, userId: ada.id, clock } as const;
    const token = await invite(store.access, words);
    const { id = '' } = (await findInvitation(store.access, token, { clock })) ?? {};
    const withdraw = (from: string) =>
      withdrawInvitation(store.access, { workspaceId: from, id }, { userId: ada.id, clock });
    expect([
      await withdraw(foreign),
      await withdraw(workspaceId),
      await withdraw(workspaceId),
    ]).toEqual([false, true, false]);
    expect(await findInvitation(store.access, token, { clock })).toBeUndefined();
    expect(await workspacesOf(store.access, ada.id)).toEqual([workspaceId]);
  });
});
