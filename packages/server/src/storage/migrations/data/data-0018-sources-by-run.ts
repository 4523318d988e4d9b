import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { ColumnTypes, Migration } from '../migration.ts';

/**
 * Sources by run, so that reports with a filter can use them. `fillRollups` makes the rows again
 * before a server responds.
 */
export const sourcesByRun: Migration = {
  name: 'sources-by-run',
  up: addColumns,
  distributed: [],
  reference: [],
};

async function addColumns(db: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await sql`delete from source_counts`.execute(db);
  await db.schema.alterTable('source_counts').dropColumn('counts').execute();
  // The longest column is last, because SQLite reads the columns of a row in their order.
  for (const column of ['runs', 'linked', 'sites', 'prompts', 'pages']) {
    await db.schema
      .alterTable('source_counts')
      .addColumn(column, text, (is) => is.notNull().defaultTo(sql`''`))
      .execute();
  }
}
