import type { Role } from '../storage/tables/people-tables.ts';

/** The roles of members. Each includes the rights of the one before. */
export const roles: readonly Role[] = ['viewer', 'editor', 'admin'];

/** Who may use a route: anyone, someone signed in, a member with a role, or an operator. */
export type RoleAccess = 'anyone' | 'user' | Role | 'operator';

/** Every kind of access, from the least to the most rights. */
export const accesses: readonly RoleAccess[] = ['anyone', 'user', ...roles, 'operator'];

export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}

/** Whether a role includes the rights of the needed one. */
export function allows(role: RoleAccess, needed: RoleAccess): boolean {
  return accesses.indexOf(role) >= accesses.indexOf(needed);
}
