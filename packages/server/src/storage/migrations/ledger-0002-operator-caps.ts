import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** The operator's caps with the amounts spent, and the earlier bodies of paused answers. */
export const operatorCaps: Migration = {
  name: 'operator caps',
  up: addCaps,
  distributed: [],
  reference: ['operator_caps', 'operator_budgets'],
  withoutWorkspace: ['operator_caps', 'operator_budgets'],
};

async function addCaps({ schema }: Kysely<unknown>, { text, bytes }: ColumnTypes): Promise<void> {
  await schema
    .createTable('operator_caps')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('day_micros', 'double precision')
    .addColumn('month_micros', 'double precision')
    .addColumn('open_max', 'double precision')
    .addPrimaryKeyConstraint('operator_caps_key', ['scope'])
    .execute();
  await schema
    .createTable('operator_budgets')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('period', text, (column) => column.notNull())
    .addColumn('spent_micros', 'double precision', (column) => column.notNull())
    .addColumn('held_micros', 'double precision', (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_budgets_key', ['scope', 'period'])
    .execute();
  await schema.alterTable('bodies').addColumn('earlier', bytes).execute();
}
