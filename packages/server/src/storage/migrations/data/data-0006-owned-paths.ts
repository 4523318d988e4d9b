import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/** Paths on third-party sites that belong to a subject, such as `github.com/acme`. */
export const ownedPaths: Migration = {
  name: 'owned paths',
  up: addOwnedPaths,
  distributed: ['subject_paths'],
  reference: [],
};

async function addOwnedPaths({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('subject_paths')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('subject_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('subject_paths_key', ['workspace_id', 'path'])
    .execute();
}
