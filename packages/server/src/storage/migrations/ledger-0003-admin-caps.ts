import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * The most that the operator lets an admin set, and an index for the list of readings on the page
 * of collection.
 */
export const adminCaps: Migration = {
  name: 'admin-caps',
  up: addCaps,
  distributed: [],
  reference: [],
};

async function addCaps(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  for (const name of ['day_cap_micros', 'month_cap_micros']) {
    await schema.alterTable('allowances').addColumn(name, 'double precision').execute();
  }
  await sql`update allowances set day_cap_micros = day_micros, month_cap_micros = month_micros`.execute(
    db,
  );
  await schema
    .createIndex('readings_by_day')
    .on('readings')
    .columns(['workspace_id', 'day', 'due_at'])
    .execute();
}
