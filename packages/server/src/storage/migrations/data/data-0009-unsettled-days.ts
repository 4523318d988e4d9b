import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/** Days with new hits, to which the rules over several hits have not been applied yet. */
export const unsettledDays: Migration = {
  name: 'unsettled days',
  up: addUnsettledDays,
  distributed: ['unsettled_days'],
  reference: [],
};

async function addUnsettledDays({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('unsettled_days')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('unsettled_days_key', ['workspace_id', 'day'])
    .execute();
}
