import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * An index of actions in the order of their endpoint, so that a long list can be read in slices.
 */
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
  // SQLite puts nulls last in descending order, and accepts no clause about nulls in an index.
  const impact = dialect === 'sqlite' ? sql`impact_score desc` : sql`impact_score desc nulls last`;
  await schema
    .createIndex('actions_by_impact')
    .on('actions')
    // The status is last, so that the index alone excludes rows of other statuses.
    .column('workspace_id')
    .column(impact)
    .columns(['created_at desc', 'id', 'status'])
    .execute();
}
