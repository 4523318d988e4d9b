import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Whether the engine of a run searched. */
export const searchedRuns: Migration = {
  name: 'searched runs',
  up: async (db) => {
    await sql`alter table runs add column searched boolean`.execute(db);
    await sql`update runs set searched = (answers.queries <> '[]') from answers
      where answers.workspace_id = runs.workspace_id and answers.run_id = runs.id
      and answers.queries is not null`.execute(db);
  },
};
