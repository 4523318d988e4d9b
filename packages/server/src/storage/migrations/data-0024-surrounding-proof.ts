import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Dialect, Migration } from './migration.ts';

/**
 * An accusation now needs proof of its site on both sides, and no visitor behind its address. Adds the
 * votes, the bits of visitors and the networks of hits. Older hits have no network, which says that their
 * visitors are unknown: their verdicts stay as this leaves them, until their log is read again.
 */
export const surroundingProof: Migration = {
  name: 'surrounding proof',
  up: change,
};

async function change(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { schema } = db;
  const text = sql.raw(columnTypes.text[dialect]);
  const bytes = sql.raw(columnTypes.bytes[dialect]);
  await schema
    .createTable('hit_votes')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('verdict', text, (column) => column.notNull())
    .addColumn('site', text, (column) => column.notNull())
    .addColumn('operator', text, (column) => column.notNull())
    .addColumn('network', text, (column) => column.notNull())
    .addColumn('hits', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('hit_votes_key', [
      'workspace_id',
      'day',
      'verdict',
      'site',
      'operator',
      'network',
    ])
    .execute();
  await schema
    .createTable('visitor_bits')
    .addColumn('workspace_id', text, (column) => column.notNull())
    .addColumn('slot', 'integer', (column) => column.notNull())
    .addColumn('bits', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('visitor_bits_key', ['workspace_id', 'slot'])
    .execute();
  await schema
    .alterTable('unsettled_days')
    .addColumn('state', text, (column) => column.notNull().defaultTo('written'))
    .execute();
  await schema.dropIndex('hits_by_address_group').execute();
  await schema.alterTable('hits').dropColumn('address_group').execute();
  await schema.alterTable('hits').addColumn('network', text).execute();
  await withdrawAccusations(db);
}

/**
 * Accusations by lists and names become unverified: whether visitors shared their addresses is unknown.
 * Reading their log again judges them by the new rule.
 */
async function withdrawAccusations(db: Kysely<unknown>): Promise<void> {
  await sql`update hits set overruled_by = null where overruled_by = 'many_operators'`.execute(db);
  await sql`update hits set overruled_by = 'site_unproven' where overruled_by = 'none_verified'`.execute(
    db,
  );
  await sql`update hits set verification = 'unverified', overruled_by = 'site_unproven'
    where verification = 'spoofed' and (evidence like '{"reason":"not_in_list"%'
      or evidence like '{"reason":"wrong_host_name"%')`.execute(db);
}
