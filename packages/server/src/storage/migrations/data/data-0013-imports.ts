import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * A table of imports, and columns that name the import of each row. The columns are null on
 * existing rows, whose import is unknown.
 */
export const imports: Migration = {
  name: 'imports',
  up: addImports,
  distributed: ['imports'],
  reference: [],
};

const counts = ['rows_new', 'rows_changed', 'rows_unchanged', 'parents_met'];

async function addImports({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  let create = schema
    .createTable('imports')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('file', text, (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('imported_at', text, (column) => column.notNull())
    .addColumn('imported_by', text);
  for (const name of counts) create = create.addColumn(name, 'bigint', (is) => is.notNull());
  await create
    .addColumn('reverted_at', text)
    .addColumn('reverted_by', text)
    .addPrimaryKeyConstraint('imports_key', ['workspace_id', 'id'])
    .execute();
  for (const table of ['prompts', 'runs', 'detections', 'scores', 'actions', 'hits']) {
    for (const column of ['import_id', 'later_import_id']) {
      await schema.alterTable(table).addColumn(column, 'integer').execute();
    }
  }
  await schema.alterTable('scores').addColumn('replaced', text).execute();
}
