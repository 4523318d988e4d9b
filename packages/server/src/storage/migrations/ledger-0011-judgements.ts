import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Paid questions about answers, and their budget. */
export const judgements: Migration = {
  name: 'judgements',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    const double = sql.raw(columnTypes.double[dialect]);
    await sql`create table stance_budgets (
      workspace_id ${text} not null, engine ${text} not null, day_micros ${double} not null,
      month_micros ${double} not null, sample ${double}, is_daily boolean not null,
      constraint stance_budgets_key primary key (workspace_id))`.execute(db);
    await sql`create table judgements (
      workspace_id ${text} not null, id ${text} not null, run_id ${text} not null,
      engine ${text} not null, day ${text} not null, state ${text} not null,
      attempts ${double} not null, claim ${text}, sent_at ${text}, lease_until ${text},
      asked ${text} not null, cost_basis ${text}, fault ${text}, request_id ${text}, model ${text},
      handed_at ${text}, bound_micros ${double}, cost_micros ${double},
      constraint judgements_key primary key (workspace_id, id))`.execute(db);
    await sql`create index judgements_by_state on judgements (workspace_id, state, day)`.execute(
      db,
    );
  },
};
