import type { Selectable } from 'kysely';
import type { AccessTables } from '../../storage/schema.ts';
import type { Theme } from '../../storage/tables/people-tables.ts';

/** A person who signs in. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly hasPassword: boolean;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly theme: Theme;
  /** Whether keyboard shortcuts work on the pages. */
  readonly hasKeys: boolean;
}

export const userColumns = [
  'users.id',
  'users.email',
  'users.name',
  'users.is_operator',
  'users.password',
  'users.created_at',
  'users.disabled_at',
  'users.theme',
  'users.keys_off',
] as const;

type Row = Omit<Selectable<AccessTables['users']>, 'email_folded'>;

export function toUser({ is_operator, keys_off, password, ...row }: Row): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    isOperator: Boolean(is_operator),
    hasPassword: password !== null,
    created_at: row.created_at,
    disabled_at: row.disabled_at,
    theme: row.theme,
    hasKeys: keys_off === '',
  };
}
