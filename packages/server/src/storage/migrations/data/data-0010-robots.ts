import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/** The robots.txt of workspaces' sites, each valid from a moment on. */
export const robots: Migration = {
  name: 'robots',
  up: addRobotsFiles,
  distributed: ['robots_files'],
  reference: [],
};

async function addRobotsFiles({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('robots_files')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('host', text, (column) => column.notNull())
    .addColumn('from_at', text, (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('content', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('robots_files_key', ['workspace_id', 'host', 'from_at'])
    .execute();
}
