import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Webhooks and mail addresses, and the messages that are sent to them. */
export const messages: Migration = {
  name: 'messages',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    const integer = sql.raw(columnTypes.integer[dialect]);
    const statements = [
      sql`create table message_times (
        workspace_id ${text} not null, weekday ${integer} not null, hour ${integer} not null,
        zone ${text} not null, quiet_from ${integer}, quiet_to ${integer}, next_at ${text} not null,
        check_at ${text} not null, constraint message_times_key primary key (workspace_id))`,
      sql`create table recipients (
        workspace_id ${text} not null, id ${text} not null, address ${text} not null,
        secret ${text} not null, created_by ${text}, created_at ${text} not null,
        constraint recipients_key primary key (workspace_id, id))`,
      sql`create table messages (
        workspace_id ${text} not null, id ${text} not null, kind ${text} not null,
        created_at ${text} not null, body ${text} not null,
        constraint messages_key primary key (workspace_id, id))`,
      sql`create table deliveries (
        workspace_id ${text} not null, message_id ${text} not null, recipient_id ${text} not null,
        attempts ${integer} not null, next_at ${text}, sent_at ${text}, fault ${text},
        constraint deliveries_key primary key (workspace_id, message_id, recipient_id))`,
      sql`create table alerts (
        workspace_id ${text} not null, kind ${text} not null, subject ${text} not null,
        gone_at ${text}, constraint alerts_key primary key (workspace_id, kind, subject))`,
      sql`create index deliveries_due on deliveries (next_at) where next_at is not null`,
    ];
    for (const statement of statements) await statement.execute(db);
  },
};
