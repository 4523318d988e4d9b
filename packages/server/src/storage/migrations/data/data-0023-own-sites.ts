import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/** A workspace's own sites besides its brand's domains. */
export const ownSites: Migration = {
  name: 'own sites',
  up: addOwnSites,
  distributed: ['own_sites'],
  reference: [],
};

async function addOwnSites({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('own_sites')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('domain', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('own_sites_key', ['workspace_id', 'domain'])
    .execute();
}
