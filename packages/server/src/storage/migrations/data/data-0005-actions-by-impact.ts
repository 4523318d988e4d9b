import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/** Actions in the order of their endpoint: a long list of them is read in slices. */
export const actionsByImpact: Migration = {
  name: 'actions-by-impact',
  up: createIndex,
  distributed: [],
  reference: [],
};

async function createIndex(
  { schema }: Kysely<unknown>,
  _types: ColumnTypes,
  dialect: 'sqlite' | 'postgres',
): Promise<void> {
  // SQLite puts nulls last in descending order, and takes no words about them in an index.
  const impact = dialect === 'sqlite' ? sql`impact_score desc` : sql`impact_score desc nulls last`;
  await schema
    .createIndex('actions_by_impact')
    .on('actions')
    // The status is last, so that rows of another status are passed over within the index.
    .column('workspace_id')
    .column(impact)
    .columns(['created_at desc', 'id', 'status'])
    .execute();
}
