import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Tags and topics of prompts. */
export const promptTags: Migration = {
  name: 'prompt tags',
  up: async (db, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await sql`create table prompt_tags (
      workspace_id ${text} not null, prompt_id ${text} not null, tag ${text} not null,
      is_topic boolean not null,
      constraint prompt_tags_key primary key (workspace_id, prompt_id, tag))`.execute(db);
    await sql`create unique index prompt_tags_topic on prompt_tags (workspace_id, prompt_id)
      where is_topic`.execute(db);
    await sql`create table tags (
      workspace_id ${text} not null, tag ${text} not null, outside_market boolean not null,
      constraint tags_key primary key (workspace_id, tag))`.execute(db);
  },
};
