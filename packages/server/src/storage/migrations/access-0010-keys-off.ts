import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** Each person switches single keys of the pages off one by one, no longer all at once. */
export const keysOff: Migration = {
  name: 'keys-off',
  up: addKeysOff,
  distributed: [],
  reference: [],
};

async function addKeysOff(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('keys_off', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`update users set keys_off = 'search rows go period new move pages keys'
    where not has_single_keys`.execute(db);
  await db.schema.alterTable('users').dropColumn('has_single_keys').execute();
}
