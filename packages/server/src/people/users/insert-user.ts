import type { Kysely } from 'kysely';
import { Refusal } from '../../refusals.ts';
import { isDuplicate } from '../../storage/duplicate.ts';
import type { AccessTables } from '../../storage/schema.ts';
import { newId } from '../../values/uuid.ts';
import { foldEmail } from '../email.ts';

/** Inserts a user. Throws a `Refusal` if the address is taken. `password` is a PHC string. */
export async function insertUser(
  db: Kysely<AccessTables>,
  {
    email,
    name,
    password = null,
    isOperator = false,
    clock,
  }: {
    email: string;
    name: string;
    password?: string | null;
    isOperator?: boolean;
    clock: () => number;
  },
): Promise<string> {
  const id = newId(clock);
  const row = {
    id,
    email,
    email_folded: foldEmail(email),
    name,
    password,
    is_operator: isOperator,
    created_at: new Date(clock()).toISOString(),
    disabled_at: null,
    theme: 'system',
    keys_off: '',
  } as const;
  try {
    await db.insertInto('users').values(row).execute();
  } catch (error) {
    throw isDuplicate(error) ? new Refusal('user_exists', { email }) : error;
  }
  return id;
}
