import type { Role } from '../storage/tables/people-tables.ts';

/** The roles of members; each may do what the one before may. */
export const roles: readonly Role[] = ['viewer', 'editor', 'admin'];

/** Who may use a route: anyone, someone signed in, a member with a role, or an operator. */
export type RoleAccess = 'anyone' | 'user' | Role | 'operator';

/** Every kind of access, in the order of what it takes. */
export const accesses: readonly RoleAccess[] = ['anyone', 'user', ...roles, 'operator'];

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}

/** Whether a role allows what another role is needed for. */
export function allows(role: RoleAccess, needed: RoleAccess): boolean {
  return accesses.indexOf(role) >= accesses.indexOf(needed);
}
