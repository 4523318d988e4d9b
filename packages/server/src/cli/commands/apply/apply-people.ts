import {
  addRecipient,
  listRecipients,
  mailOf,
  recipientsMax,
  removeRecipient,
  shownAddress,
} from '../../../messages/recipients.ts';
import { foldEmail } from '../../../people/email.ts';
import { noteEvent } from '../../../people/events.ts';
import { joinWorkspaces } from '../../../people/join-workspaces.ts';
import { changeMember, listMembers } from '../../../people/members.ts';
import { findByEmail } from '../../../people/users.ts';
import type { Role } from '../../../storage/tables/people-tables.ts';
import type { Store } from '../../../storage/store.ts';
import { newId } from '../../../values/uuid.ts';
import type { Place } from './place.ts';

/**
 * Gives the described roles. Adds users that do not exist, and their addresses to `newUsers`. Returns
 * the addresses of members that it removes.
 */
export async function applyMembers(
  place: Place,
  newUsers: Set<string>,
): Promise<ReadonlySet<string>> {
  const { store, workspaceId, described, prunes, clock, file, path, change, later } = place;
  const { members } = described;
  const removed = new Set<string>();
  if (members === undefined) return removed;
  const doing = { userId: null, clock };
  const stored = await listMembers(store.access, workspaceId);
  const after = new Map(stored.map((each) => [foldEmail(each.email), each.role]));
  const setRole = (userId: string, role: Role | null) =>
    later(() => changeMember(store, { workspaceId, userId, role }, doing));
  const lowered: Array<() => void> = [];
  for (const [index, { email, name, role }] of members.entries()) {
    const user = (await findByEmail(store.access, email))?.user;
    if (user !== undefined && user.disabled_at !== null) {
      const words = `${user.email} is disabled. Enable them first: overheard user add ${user.email}`;
      throw file.refusal([...path, 'members', index, 'email'], words);
    }
    const present = stored.find((each) => each.user_id === user?.id);
    after.set(foldEmail(email), role);
    if (present === undefined) {
      if (user === undefined) newUsers.add(email);
      change('member', 'added', [`${email} as ${role}`]);
      later(() => joinWorkspaces(store, { email, name, workspaceIds: [workspaceId], role, clock }));
    } else if (present.role !== role) {
      change('member', 'changed', [`${email} from ${present.role} to ${role}`]);
      // The last admin can be changed only after there is another one.
      if (role === 'admin') setRole(present.user_id, role);
      else lowered.push(() => setRole(present.user_id, role));
    }
  }
  const named = new Set(members.map(({ email }) => foldEmail(email)));
  for (const { user_id: userId, email } of prunes ? stored : []) {
    if (named.has(foldEmail(email))) continue;
    after.delete(foldEmail(email));
    removed.add(foldEmail(email));
    change('member', 'removed', [email]);
    lowered.push(() => setRole(userId, null));
  }
  const hadAdmin = stored.some(({ role, disabled_at: at }) => role === 'admin' && at === null);
  const disabled = new Set(
    stored.flatMap(({ email, disabled_at: at }) => (at ? foldEmail(email) : [])),
  );
  const hasAdmin = [...after].some(([email, role]) => role === 'admin' && !disabled.has(email));
  if (hadAdmin && !hasAdmin) {
    throw file.refusal([...path, 'members'], 'A workspace keeps at least one admin. Name one.');
  }
  for (const lower of lowered) lower();
  return removed;
}

/** Adds and removes recipients of messages. `removed` are addresses of members that are removed. */
export async function applyRecipients(place: Place, removed: ReadonlySet<string>): Promise<void> {
  const { store, workspaceId, described, prunes, clock, file, path, change, later } = place;
  const { messages } = described;
  if (messages === undefined) return;
  // The mail of a member ends with their role, so that an address which the file names is added again.
  const stored = (await listRecipients(store.access, workspaceId)).filter(
    ({ address }) => !removed.has(foldEmail(mailOf(address) ?? '')),
  );
  const left = prunes ? stored.filter(({ address }) => !messages.includes(address)) : [];
  const added = messages.filter((address) => !stored.some((each) => each.address === address));
  if (stored.length - left.length + added.length > recipientsMax) {
    const words = `A workspace has at most ${recipientsMax} recipients, and has ${stored.length} already.`;
    throw file.refusal([...path, 'messages'], words);
  }
  const write = (
    kind: 'recipient_added' | 'recipient_removed',
    address: string,
    work: (access: Store['access']) => Promise<unknown>,
  ) =>
    later(() =>
      store.access.transaction().execute(async (access) => {
        await work(access);
        const facts = { name: shownAddress(address) };
        await noteEvent(access, { userId: null, clock }, { workspaceId, kind, facts });
      }),
    );
  for (const { id, address } of left) {
    change('recipient', 'removed', [shownAddress(address)]);
    write('recipient_removed', address, (access) => removeRecipient(access, { workspaceId, id }));
  }
  for (const address of added) {
    change('recipient', 'added', [shownAddress(address)]);
    const row = { id: newId(clock), workspace_id: workspaceId, address, created_by: null };
    write('recipient_added', address, (access) => addRecipient(access, row, { clock }));
  }
}
