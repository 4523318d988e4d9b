import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { aWorkspace } from '../../test/answers/answers.ts';
import { newPerson } from '../../test/browsers/people.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { openStore } from '../storage/open/open-store.ts';
import { removeWorkspace } from '../workspaces/remove-workspace.ts';
import { createGuessLimit } from './guess-limit.ts';
import { invite } from './invitations.ts';
import { consumeLink, findLink, makeLink } from './links.ts';
import { roleIn } from './members.ts';
import { hashPassword } from './password.ts';
import { createPasswordQueue } from './password-queue.ts';
import { endSession, findSession, listSessions, renewSession, touchSession } from './sessions.ts';
import { setUp } from './set-up.ts';
import { signIn, signInByLink } from './sign-in.ts';
import { disableUser, listUsers, storePassword } from './users.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');
const clock = (): number => startMs;
const dayMs = 24 * 3_600_000;
const browser = 'a test';

eachStore('people', (open) => {
  test('two simultaneous set-ups with two links make one user, and unused links end', async () => {
    const { store, url } = await open();
    const workspaceId = await aWorkspace(store);
    const other = await openStore(url);
    try {
      const tokens = [
        await makeLink(store.access, { userId: null, clock }),
        await makeLink(store.access, { userId: null, clock }),
        await makeLink(store.access, { userId: null, clock }),
      ];
      const words = { name: 'Ada', password: await hashPassword('correct horse'), browser, clock };
      const outcomes = await Promise.all([
        setUp(store, { token: tokens[0] ?? '', email: 'a@example.com', ...words }),
        setUp(other, { token: tokens[1] ?? '', email: 'b@example.com', ...words }),
      ]);
      expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
      const [user, ...others] = await listUsers(store.access);
      expect(others).toEqual([]);
      expect(user).toMatchObject({ isOperator: true });
      expect(await roleIn(store.access, { workspaceId, userId: user?.id ?? '' })).toBe('admin');
      expect(await findLink(store.access, tokens[2] ?? '', { clock })).toBeUndefined();
      const late = { token: tokens[2] ?? '', email: 'c@example.com', ...words };
      expect(await setUp(store, late)).toBeUndefined();
    } finally {
      await other.close();
    }
  });

  test('a link is looked at any number of times and consumed once, within 24 hours', async () => {
    const { store } = await open();
    const { id, email } = await newPerson(store);
    const token = await makeLink(store.access, { user: { id, email }, userId: null, clock });
    for (let look = 0; look < 3; look += 1) {
      expect(await findLink(store.access, token, { clock })).toEqual({ user_id: id });
    }
    const late = () => startMs + dayMs;
    expect(await consumeLink(store.access, token, { clock: late })).toBe(false);
    const consumed = await Promise.all(
      Array.from({ length: 4 }, () => consumeLink(store.access, token, { clock })),
    );
    expect(consumed.filter(Boolean)).toHaveLength(1);
    expect(await findLink(store.access, token, { clock })).toBeUndefined();
  });

  test('a link signs in, and a new password ends every session before it', async () => {
    const { store } = await open();
    const { id, email, session } = await newPerson(store, { clock });
    const token = await makeLink(store.access, { user: { id, email }, userId: null, clock });
    const password = await hashPassword('another horse');
    const admitted = await signInByLink(store, { token, password, browser, clock });
    expect(await findSession(store.access, session, { clock })).toBeUndefined();
    const found = await findSession(store.access, admitted?.session ?? '', { clock });
    expect(found?.user.id).toBe(id);
    expect(await signInByLink(store, { token, password, browser, clock })).toBeUndefined();
  });

  test('an ended session is refused by another process at once, and only its owner can end it', async () => {
    const { store, url } = await open();
    const [ada, ben] = [await newPerson(store, { clock }), await newPerson(store, { clock })];
    const { id = '' } = (await findSession(store.access, ada.session, { clock })) ?? {};
    const other = await openStore(url);
    try {
      await endSession(store.access, { userId: ben.id, id });
      expect(await findSession(other.access, ada.session, { clock })).toBeDefined();
      await endSession(store.access, { userId: ada.id, id });
      expect(await findSession(other.access, ada.session, { clock })).toBeUndefined();
    } finally {
      await other.close();
    }
  });

  test('a session ends after 14 idle days and after 90 days however it is used', async () => {
    const { store } = await open();
    const { session } = await newPerson(store, { clock });
    const at = (days: number) => ({ clock: () => startMs + days * dayMs });
    const found = await findSession(store.access, session, at(13.9));
    expect(found?.isUnseen).toBe(true);
    expect(await findSession(store.access, session, at(14))).toBeUndefined();
    for (let days = 10; days <= 85; days += 5) {
      await touchSession(store.access, found?.id ?? '', at(days));
    }
    expect(await findSession(store.access, session, at(89.9))).toBeDefined();
    expect(await findSession(store.access, session, at(90))).toBeUndefined();
  });

  test('a changed password ends the other sessions and unused links, and renews the own token', async () => {
    const { store } = await open();
    const { id, email, session } = await newPerson(store, { clock });
    const token = await makeLink(store.access, { user: { id, email }, userId: null, clock });
    const second = await makeLink(store.access, { user: { id, email }, userId: null, clock });
    const own = await signInByLink(store, { token, password: undefined, browser, clock });
    const found = await findSession(store.access, own?.session ?? '', { clock });
    const doing = { userId: id, clock };
    const password = await hashPassword('another horse');
    await storePassword(store.access, { userId: id, password, sessionId: found?.id ?? '' }, doing);
    expect(await findSession(store.access, session, { clock })).toBeUndefined();
    expect(await findLink(store.access, second, { clock })).toBeUndefined();
    const again = await findSession(store.access, own?.session ?? '', { clock });
    expect(again?.mustRenew).toBe(true);
    const renewed = await Promise.all([
      renewSession(store.access, found?.id ?? ''),
      renewSession(store.access, found?.id ?? ''),
    ]);
    const [fresh, ...none] = renewed.filter((each) => each !== undefined);
    expect(none).toEqual([]);
    expect(await findSession(store.access, own?.session ?? '', { clock })).toBeUndefined();
    expect(await findSession(store.access, fresh ?? '', { clock })).toMatchObject({
      mustRenew: false,
    });
    expect(await listSessions(store.access, id, { clock })).toHaveLength(1);
  });

  test('a disabled user is out at once in every process, and no link or password lets them in', async () => {
    const { store, url } = await open();
    const password = await hashPassword('correct horse');
    const { id, email, session } = await newPerson(store, { password, clock });
    const token = await makeLink(store.access, { user: { id, email }, userId: null, clock });
    const other = await openStore(url);
    try {
      expect(await findSession(other.access, session, { clock })).toBeDefined();
      await disableUser(store.access, email.toUpperCase(), { userId: null, clock });
      expect(await findSession(other.access, session, { clock })).toBeUndefined();
      expect(await findLink(other.access, token, { clock })).toBeUndefined();
      expect(await trySignIn(other, { email, password: 'correct horse' })).toBe('refused');
    } finally {
      await other.close();
    }
  });

  test(
    'an unknown address, a wrong password and none are refused alike',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const password = await hashPassword('correct horse');
      const { email } = await newPerson(store, { password, clock });
      const { email: without } = await newPerson(store, { clock });
      expect(await trySignIn(store, { email, password: 'correct horse' })).toBe('admitted');
      expect(await trySignIn(store, { email, password: 'wrong horse' })).toBe('refused');
      expect(await trySignIn(store, { email: without, password: 'wrong horse' })).toBe('refused');
      expect(await trySignIn(store, { email: 'x@example.com', password: 'correct' })).toBe(
        'refused',
      );
    },
  );

  test(
    "a known browser signs in while strangers' guesses make everyone else wait",
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const password = await hashPassword('correct horse');
      const { email, device } = await newPerson(store, { password, clock });
      const limits = { queue: createPasswordQueue(), guesses: createGuessLimit(clock) };
      const words = { email, password: 'correct horse', browser, clock };
      for (let guess = 0; guess < 6; guess += 1) {
        const wrong = { ...words, password: 'wrong', device: '', network: `192.0.2.${guess}` };
        await signIn(store, wrong, limits);
      }
      const stranger = { ...words, device: '', network: '198.51.100.1' };
      expect(await signIn(store, stranger, limits)).toMatchObject({ kind: 'wait' });
      const { device: another } = await newPerson(store, { clock });
      expect(await signIn(store, { ...stranger, device: another }, limits)).toMatchObject({
        kind: 'wait',
      });
      const known = { ...stranger, device };
      expect(await signIn(store, known, limits)).toMatchObject({
        kind: 'admitted',
        device: undefined,
      });
    },
  );

  test('removing a workspace removes its members, invitations and events, and no user', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const ada = await newPerson(store, { workspaceId, role: 'admin', clock });
    await invite(store.access, { workspaceId, role: 'viewer', email: null, userId: ada.id, clock });
    await removeWorkspace(store, workspaceId);
    for (const table of ['members', 'invitations', 'events'] as const) {
      const rows = await store.access
        .selectFrom(table)
        .select('workspace_id')
        .where('workspace_id', '=', workspaceId)
        .execute();
      expect(rows).toEqual([]);
    }
    expect(await listUsers(store.access)).toHaveLength(1);
  });

  test('no token and no password is in any table', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const password = await hashPassword('correct horse');
    const person = await newPerson(store, { workspaceId, role: 'admin', password, clock });
    const { id, email, session, device } = person;
    const link = await makeLink(store.access, { user: { id, email }, userId: null, clock });
    const words = { workspaceId, role: 'viewer', email: null, userId: id, clock } as const;
    const invitation = await invite(store.access, words);
    const tables = ['users', 'sessions', 'devices', 'links', 'invitations', 'events', 'members'];
    const stored = await Promise.all(
      tables.map((table) => sql`select * from ${sql.table(table)}`.execute(store.access)),
    );
    const text = JSON.stringify(stored.map(({ rows }) => rows));
    expect(text).toContain(email);
    for (const secret of [session, device, link, invitation, 'correct horse']) {
      expect(text).not.toContain(secret);
    }
  });
});

async function trySignIn(
  store: Parameters<typeof signIn>[0],
  { email, password }: { email: string; password: string },
): Promise<string> {
  const limits = { queue: createPasswordQueue(), guesses: createGuessLimit(clock) };
  const words = { email, password, device: '', network: '192.0.2.1', browser, clock };
  return (await signIn(store, words, limits)).kind;
}
