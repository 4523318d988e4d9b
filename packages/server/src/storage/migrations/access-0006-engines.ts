import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** The engines that the operator has set up. */
export const engines: Migration = {
  name: 'engines',
  up: addEngines,
  distributed: [],
  reference: ['engines'],
  withoutWorkspace: ['engines'],
};

async function addEngines(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('engines')
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('base_url', text, (column) => column.notNull())
    .addColumn('model', text, (column) => column.notNull())
    .addColumn('key_variable', text, (column) => column.notNull())
    .addColumn('has_search', 'boolean', (column) => column.notNull())
    .addColumn('searches_max', 'integer', (column) => column.notNull())
    .addColumn('output_tokens_max', 'integer', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('disabled_at', text)
    .addColumn('terms_accepted_by', text)
    .addColumn('terms_accepted_at', text)
    .addPrimaryKeyConstraint('engines_key', ['name'])
    .execute();
}
