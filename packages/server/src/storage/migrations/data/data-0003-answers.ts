import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * Raw answers, and the origin of each figure. The new columns are null on imported detections,
 * which have no answer.
 */
export const answers: Migration = {
  name: 'answers',
  up: addAnswers,
  distributed: ['answers', 'action_changes'],
  reference: [],
};

async function addAnswers({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  // Answers have their own table, because they are long and the API reads runs.
  await schema
    .createTable('answers')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('run_id', text, (column) => column.notNull())
    .addColumn('asked', text, (column) => column.notNull())
    .addColumn('answer', text, (column) => column.notNull())
    .addColumn('sources', text, (column) => column.notNull())
    .addColumn('sites', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('answers_key', ['workspace_id', 'run_id'])
    .execute();
  await schema
    .createTable('action_changes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('action_id', text, (column) => column.notNull())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('changed_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('action_changes_key', ['workspace_id', 'action_id', 'place'])
    .execute();
  for (const column of ['outcome', 'model', 'method']) {
    await schema.alterTable('runs').addColumn(column, text).execute();
  }
  await schema.alterTable('runs').addColumn('branded', 'boolean').execute();
  for (const column of ['alias', 'sentence', 'url']) {
    await schema.alterTable('detections').addColumn(column, text).execute();
  }
  for (const column of ['kind', 'parts']) {
    await schema.alterTable('actions').addColumn(column, text).execute();
  }
}
