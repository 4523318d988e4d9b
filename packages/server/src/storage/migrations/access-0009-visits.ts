import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** The last days on which a person saw a workspace's overview. */
export const visits: Migration = {
  name: 'visits',
  up: addVisits,
  distributed: [],
  reference: ['visits'],
};

async function addVisits(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('visits')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('user_id', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('day_before', text)
    .addPrimaryKeyConstraint('visits_key', ['workspace_id', 'user_id'])
    .execute();
}
