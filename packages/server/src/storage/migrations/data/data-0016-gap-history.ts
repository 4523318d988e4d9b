import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * Who changed the status of an action and its earlier status, and the names that were dismissed.
 */
export const gapHistory: Migration = {
  name: 'gap history',
  up: addGapHistory,
  distributed: ['dismissed_names'],
  reference: [],
};

async function addGapHistory({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  for (const column of ['before', 'changed_by']) {
    await schema.alterTable('action_changes').addColumn(column, text).execute();
  }
  await schema
    .createTable('dismissed_names')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('folded', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('dismissed_at', text, (column) => column.notNull())
    .addColumn('dismissed_by', text)
    .addPrimaryKeyConstraint('dismissed_names_key', ['workspace_id', 'folded'])
    .execute();
}
