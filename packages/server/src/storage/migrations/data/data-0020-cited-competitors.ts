import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Cited competitors by run. `fillRollups` makes the rows again before a server responds. */
export const citedCompetitors: Migration = {
  name: 'cited competitors',
  up: async (db, { text }) => {
    await sql`delete from source_counts`.execute(db);
    // The longest columns are last, because SQLite reads the columns of a row in their order.
    for (const column of ['prompts', 'pages']) {
      await db.schema.alterTable('source_counts').dropColumn(column).execute();
    }
    for (const column of ['competitors', 'prompts', 'pages']) {
      await db.schema
        .alterTable('source_counts')
        .addColumn(column, text, (is) => is.notNull().defaultTo(sql`''`))
        .execute();
    }
  },
  distributed: [],
  reference: [],
};
