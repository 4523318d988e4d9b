import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** A column for the reason that overrules a hit, which was JSON around the hit's own evidence. */
export const overruledBy: Migration = {
  name: 'overruled by',
  up: async (db, { text }) => {
    await db.schema.alterTable('hits').addColumn('overruled_by', text).execute();
    for (const reason of ['none_verified', 'many_operators']) {
      const opening = `{"reason":"${reason}","own":`;
      const start = sql.lit(opening.length + 1);
      await sql`update hits set overruled_by = ${sql.lit(reason)},
          evidence = substr(evidence, ${start}, length(evidence) - ${start})
        where evidence like ${sql.lit(`${opening}%`)}`.execute(db);
    }
  },
  distributed: [],
  reference: [],
};
