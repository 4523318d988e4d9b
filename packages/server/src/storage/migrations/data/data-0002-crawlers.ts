import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * The tables of the crawlers' flow: evidence of hits, how far each log was read, and operators'
 * dated files.
 */
export const crawlers: Migration = {
  name: 'crawlers',
  up: createTables,
  distributed: ['crawler_settings', 'log_files', 'log_samples', 'workspace_bots'],
  reference: ['operator_files', 'operator_checks'],
};

/** Null on rows that were imported rather than read from a log. */
const hitColumns = [
  'host',
  'address',
  'address_group',
  'user_agent',
  'signature',
  'evidence',
] as const;

async function createTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of hitColumns) {
    await db.schema.alterTable('hits').addColumn(column, types.text).execute();
  }
  await db.schema
    .createIndex('hits_by_address_group')
    .on('hits')
    .columns(['workspace_id', 'address_group', 'bot_company'])
    .execute();
  await createWorkspaceTables(db, types);
  await createOperatorTables(db, types);
}

async function createWorkspaceTables(
  { schema }: Kysely<unknown>,
  { text }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable('crawler_settings')
    .addColumn('workspace_id', text, (column) => column.primaryKey())
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('keep_addresses_days', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createTable('log_files')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('file_key', text, (column) => column.notNull())
    .addColumn('options_key', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('read_bytes', 'bigint', (column) => column.notNull())
    .addColumn('head', text, (column) => column.notNull())
    .addColumn('tail', text, (column) => column.notNull())
    .addColumn('directive', text)
    .addColumn('provisional_id', text)
    .addColumn('torn', text)
    .addColumn('updated_at', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('log_files_key', ['workspace_id', 'file_key', 'options_key'])
    .execute();
  await schema
    .createTable('log_samples')
    .addColumn('workspace_id', text, (column) => column.primaryKey())
    .addColumn('lines', text, (column) => column.notNull())
    .execute();
  await schema
    .createTable('workspace_bots')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('folded', text, (column) => column.notNull())
    .addColumn('bot', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('workspace_bots_key', ['workspace_id', 'folded'])
    .execute();
}

/** Facts of the operators, the same for every workspace. */
async function createOperatorTables(
  { schema }: Kysely<unknown>,
  { text }: ColumnTypes,
): Promise<void> {
  await schema
    .createTable('operator_files')
    .addColumn('file_id', text, (column) => column.notNull())
    .addColumn('content_hash', text, (column) => column.notNull())
    .addColumn('first_at', text, (column) => column.notNull())
    .addColumn('last_at', text, (column) => column.notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('operator_files_key', ['file_id', 'content_hash', 'first_at'])
    .execute();
  await schema
    .createTable('operator_checks')
    .addColumn('file_id', text, (column) => column.primaryKey())
    .addColumn('url', text, (column) => column.notNull())
    .addColumn('etag', text)
    .addColumn('last_modified', text)
    .addColumn('content_hash', text)
    .addColumn('checked_at', text, (column) => column.notNull())
    .addColumn('problem', text)
    .execute();
}
