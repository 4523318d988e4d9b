import { listMembers } from '../../../people/members.ts';
import type { Member } from '../../../people/members.ts';
import { listUsers } from '../../../people/users.ts';
import type { WorkspaceContext } from '../../request/page-context.ts';

/** Who may be asked to fix a gap, and who was. */
export interface Assignees {
  /** Members who can sign in. */
  readonly members: readonly Member[];
  /** The names of all people who may be named on the page, by id. */
  readonly names: ReadonlyArray<readonly [id: string, name: string]>;
}

/** Reads the people of gaps. A report link names nobody. */
export async function readAssignees({
  store,
  workspace,
  shared,
}: WorkspaceContext): Promise<Assignees> {
  if (shared !== undefined) return { members: [], names: [] };
  const members = await listMembers(store.access, workspace.id);
  const ids = new Set(members.map(({ user_id: id }) => id));
  const users = await listUsers(store.access);
  return {
    members: members.filter(({ disabled_at: at }) => at === null),
    names: users.map(({ id, name }) => [id, ids.has(id) ? name : `${name} (no longer a member)`]),
  };
}

/** The name of the person who is to fix a gap; undefined if that is nobody, or not to be named. */
export function assigneeOf({ names }: Assignees, userId: string | null): string | undefined {
  if (userId === null || names.length === 0) return undefined;
  return names.find(([id]) => id === userId)?.[1] ?? 'a removed user';
}
