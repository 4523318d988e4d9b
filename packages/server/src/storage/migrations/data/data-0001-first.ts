import type { ColumnTypes, Migration } from '../migration.ts';
import type { Kysely } from 'kysely';

/** The tables of workspaces' data. */
export const first: Migration = {
  name: 'first',
  up: createTables,
  distributed: [
    'revisions',
    'subjects',
    'subject_aliases',
    'subject_domains',
    'prompts',
    'runs',
    'detections',
    'scores',
    'actions',
    'hits',
  ],
  reference: ['workspaces'],
};

async function createTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTenants(db, types);
  await createRunsAndDetections(db, types);
  await createLists(db, types);
}

async function createTenants({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('workspaces')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('slug', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await schema
    .createTable('revisions')
    .addColumn('workspace_id', text, (column) => column.primaryKey())
    .addColumn('revision', text, (column) => column.notNull())
    .execute();
  await schema
    .createTable('subjects')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('subject_type', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('archived_at', text)
    .addPrimaryKeyConstraint('subjects_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createTable('subject_aliases')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('folded', text, (column) => column.notNull())
    .addColumn('subject_id', text, (column) => column.notNull())
    .addColumn('alias', text, (column) => column.notNull())
    .addColumn('match', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('subject_aliases_key', ['workspace_id', 'folded'])
    .execute();
  await schema
    .createTable('subject_domains')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('domain', text, (column) => column.notNull())
    .addColumn('subject_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('subject_domains_key', ['workspace_id', 'domain'])
    .execute();
}

async function createRunsAndDetections(
  { schema }: Kysely<unknown>,
  { text }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable('runs')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('prompt_id', text)
    .addColumn('engine', text, (column) => column.notNull())
    .addColumn('run_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('runs_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createIndex('runs_by_time')
    .on('runs')
    .columns(['workspace_id', 'run_at desc', 'id'])
    .execute();
  await schema
    .createIndex('runs_by_prompt')
    .on('runs')
    .columns(['workspace_id', 'prompt_id', 'run_at desc', 'id'])
    .execute();
  await schema
    .createTable('detections')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('subject_type', text, (column) => column.notNull())
    .addColumn('subject_id', text)
    .addColumn('cited', 'boolean', (column) => column.notNull())
    .addColumn('position', 'bigint')
    .addColumn('rank', 'bigint')
    .addColumn('sentiment', text)
    .addPrimaryKeyConstraint('detections_key', ['workspace_id', 'id'])
    .execute();
  // A subject is detected once per run. Rows without a subject are distinct in both databases.
  await schema
    .createIndex('detections_by_run')
    .unique()
    .on('detections')
    .columns(['workspace_id', 'run_id', 'subject_type', 'subject_id'])
    .execute();
}

async function createLists({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('prompts')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('language', text, (column) => column.notNull())
    .addColumn('locale', text, (column) => column.notNull())
    .addColumn('active', 'boolean', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('prompts_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createIndex('prompts_by_time')
    .on('prompts')
    .columns(['workspace_id', 'created_at desc', 'id'])
    .execute();
  await schema
    .createTable('scores')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('date', text, (column) => column.notNull())
    .addColumn('engine', text, (column) => column.notNull())
    .addColumn('citations', 'bigint', (column) => column.notNull())
    .addColumn('total_runs', 'bigint', (column) => column.notNull())
    .addColumn('sov', 'double precision', (column) => column.notNull())
    .addColumn('origin', text, (column) => column.notNull())
    .execute();
  await schema
    .createIndex('scores_by_day')
    .unique()
    .on('scores')
    .columns(['workspace_id', 'date desc', 'engine'])
    .execute();
  await schema
    .createTable('actions')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('prompt_id', text)
    .addColumn('recommendation', text, (column) => column.notNull())
    .addColumn('priority', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('impact_score', 'double precision')
    .addColumn('sov_baseline', 'double precision')
    .addColumn('sov_result', 'double precision')
    .addColumn('created_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('actions_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createTable('hits')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('bot_name', text, (column) => column.notNull())
    .addColumn('bot_company', text, (column) => column.notNull())
    .addColumn('category', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('verification', text, (column) => column.notNull())
    .addColumn('hit_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('hits_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createIndex('hits_by_time')
    .on('hits')
    .columns(['workspace_id', 'hit_at', 'id desc'])
    .execute();
}
