import { sql } from 'kysely';
import type { CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes, Migration } from './migration.ts';

/** Work that outlasts a request: imports, redetections. */
export const jobs: Migration = {
  name: 'jobs',
  up: addJobs,
  distributed: ['jobs'],
  reference: [],
};

const present = ['workspace_id', 'id', 'kind', 'state', 'work', 'created_at', 'beat_at'];
const optional = ['owner', 'user_id', 'ended_at', 'progress', 'outcome'];

async function addJobs(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  let table: CreateTableBuilder<string, string> = db.schema.createTable('jobs');
  for (const name of present) table = table.addColumn(name, text, (column) => column.notNull());
  for (const name of optional) table = table.addColumn(name, text);
  await table
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('jobs_key', ['workspace_id', 'id'])
    .execute();
  // One job of a kind at a time, whatever the number of servers.
  await db.schema
    .createIndex('jobs_active')
    .unique()
    .on('jobs')
    .columns(['workspace_id', 'kind'])
    .where(sql<boolean>`state in ('waiting', 'running')`)
    .execute();
}
