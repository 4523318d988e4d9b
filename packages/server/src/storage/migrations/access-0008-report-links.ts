import type { CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

const required = 'id workspace_id hash name page view created_by created_at expires_at'.split(' ');

/** Links that show one page of a workspace to people without an account. */
export const reportLinks: Migration = {
  name: 'report-links',
  up: addReportLinks,
  distributed: [],
  reference: ['report_links'],
};

async function addReportLinks(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable('report_links');
  for (const name of required) table = table.addColumn(name, text, (column) => column.notNull());
  await table
    .addColumn('has_texts', 'boolean', (column) => column.notNull())
    .addColumn('opened', 'integer', (column) => column.notNull())
    .addColumn('opened_at', text)
    .addColumn('revoked_at', text)
    .addColumn('revoked_by', text)
    .addPrimaryKeyConstraint('report_links_key', ['id'])
    .addUniqueConstraint('report_links_hash', ['hash'])
    .execute();
}
