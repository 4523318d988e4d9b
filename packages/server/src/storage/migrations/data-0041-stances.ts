import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** How answers present subjects, and a person's labels. */
export const stances: Migration = {
  name: 'stances',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    const double = sql.raw(columnTypes.double[dialect]);
    await sql`create table stances (
      workspace_id ${text} not null, run_id ${text} not null, subject_id ${text} not null,
      stance ${text}, purpose ${text}, quote ${text}, judge ${text} not null, model ${text},
      version ${double} not null, by_rule boolean not null, judged_at ${text} not null,
      sentiment ${text},
      constraint stances_key primary key (workspace_id, run_id, subject_id))`.execute(db);
    await sql`create index stances_by_time on stances (workspace_id, judged_at desc, run_id)`.execute(
      db,
    );
    await sql`create table stance_labels (
      workspace_id ${text} not null, run_id ${text} not null, subject_id ${text} not null,
      stance ${text} not null, labelled_at ${text} not null, labelled_by ${text},
      constraint stance_labels_key primary key (workspace_id, run_id, subject_id))`.execute(db);
  },
};
