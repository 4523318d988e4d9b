import { sql } from 'kysely';
import type { CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * Counts that reports read instead of detections, answers and hits. The tables start empty.
 * `fillRollups` fills those of workspaces without a row in `rollup_states` before a server
 * responds.
 */
export const rollups: Migration = {
  name: 'rollups',
  up: addRollups,
  distributed: [
    'rollup_states',
    'subject_sets',
    'run_counts',
    'source_counts',
    'hit_days',
    'hit_pages',
  ],
  reference: [],
};

async function addRollups(
  db: Kysely<unknown>,
  types: ColumnTypes,
  dialect: 'sqlite' | 'postgres',
): Promise<void> {
  await addRunCounts(db, types);
  await addSourceCounts(db, types);
  await addHitCounts(db, types, dialect);
}

async function addRunCounts({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  for (const column of ['cohort', 'judged_by']) {
    await schema.alterTable('runs').addColumn(column, text).execute();
  }
  await schema
    .createTable('rollup_states')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rollup_states_key', ['workspace_id'])
    .execute();
  await schema
    .createTable('subject_sets')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('subjects', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('subject_sets_key', ['workspace_id', 'id'])
    .execute();
  await schema
    .createTable('run_counts')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('date', text, (column) => column.notNull())
    .addColumn('engine', text, (column) => column.notNull())
    .addColumn('cohort', text, (column) => column.notNull().defaultTo(sql`''`))
    .addColumn('judged_by', text, (column) => column.notNull().defaultTo(sql`''`))
    .addColumn('counts', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('run_counts_key', [
      'workspace_id',
      'date',
      'engine',
      'cohort',
      'judged_by',
    ])
    .execute();
}

async function addSourceCounts({ schema }: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await schema
    .createTable('source_counts')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('date', text, (column) => column.notNull())
    .addColumn('engine', text, (column) => column.notNull())
    .addColumn('counts', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('source_counts_key', ['workspace_id', 'date', 'engine'])
    .execute();
}

const hitCounts = ['verified', 'spoofed', 'unverified', 'ok', 'redirected', 'refused', 'failed'];

/** The keys contain hashes, because PostgreSQL's indexes accept no text of 3,000 bytes. */
async function addHitCounts(
  { schema }: Kysely<unknown>,
  { text }: ColumnTypes,
  dialect: 'sqlite' | 'postgres',
): Promise<void> {
  const keys = {
    hit_days: ['workspace_id', 'date', 'host_hash', 'bot_hash'],
    hit_pages: ['workspace_id', 'page_hash', 'date', 'bot_hash'],
  };
  for (const [table, key] of Object.entries(keys)) {
    let create: CreateTableBuilder<string, string> = schema.createTable(table);
    for (const column of key) create = create.addColumn(column, text, (is) => is.notNull());
    for (const column of ['host', 'bot_name', 'bot_company', 'category', 'first_at', 'last_at']) {
      create = create.addColumn(column, text, (is) => is.notNull());
    }
    if (table === 'hit_pages') create = create.addColumn('path', text, (is) => is.notNull());
    for (const column of hitCounts) {
      create = create.addColumn(column, 'bigint', (is) => is.notNull());
    }
    // Reports read all days of a page in the order of the key. Without a separate index, SQLite
    // stores them in that order.
    if (dialect === 'sqlite') create = create.modifyEnd(sql`without rowid`);
    await create
      .addColumn('verified_at', text)
      .addPrimaryKeyConstraint(`${table}_key`, [...key])
      .execute();
  }
}
