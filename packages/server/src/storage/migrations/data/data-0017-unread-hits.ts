import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from '../migration.ts';

/** An index of the hits that got no page, because they are few among many. */
export const unreadHits: Migration = {
  name: 'unread-hits',
  up: addIndex,
  distributed: [],
  reference: [],
};

async function addIndex(db: Kysely<unknown>): Promise<void> {
  await sql`create index hits_unread on hits (workspace_id, hit_at) where status >= 400`.execute(
    db,
  );
}
