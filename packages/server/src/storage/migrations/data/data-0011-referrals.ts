import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/** Visits of people who followed a link in an answer. */
export const referrals: Migration = {
  name: 'referrals',
  up: addReferrals,
  distributed: ['referrals'],
  reference: [],
};

async function addReferrals({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('referrals')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('date', text, (column) => column.notNull())
    .addColumn('host', text)
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('engine', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('referrals_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createIndex('referrals_by_date')
    .on('referrals')
    .columns(['workspace_id', 'date'])
    .execute();
}
