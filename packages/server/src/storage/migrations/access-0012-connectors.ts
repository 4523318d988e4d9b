import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Sign-in of assistants: clients, grants, codes and tokens. */
export const connectors: Migration = {
  name: 'connectors',
  up: async (db, dialect) => {
    const text = columnTypes.text[dialect];
    for (const [name, list] of Object.entries(tables)) {
      const columns = list.split(' ');
      const lines = columns.map((each) =>
        each.endsWith('?') ? `${each.slice(0, -1)} ${text}` : `${each} ${text} not null`,
      );
      const key = `constraint ${name}_key primary key (${columns[0]})`;
      await sql.raw(`create table ${name} (${[...lines, key].join(', ')})`).execute(db);
    }
    for (const statement of indexes) await sql.raw(statement).execute(db);
  },
};

/** The columns of each table, all of text and the key first; a `?` marks one that may be null. */
const tables = {
  oauth_clients: 'id name redirects created_at used_at?',
  oauth_grants:
    'id workspace_id user_id client_id client_name host resource created_at used_at expires_at',
  oauth_codes: 'hash workspace_id grant_id redirect_uri challenge expires_at used_at?',
  oauth_tokens: 'hash workspace_id grant_id kind expires_at replaced_at?',
};

const indexes = [
  'create index oauth_grants_by_workspace on oauth_grants (workspace_id, created_at)',
  'create unique index oauth_grants_by_user on oauth_grants (user_id, workspace_id, client_id, resource)',
  'create index oauth_tokens_by_grant on oauth_tokens (grant_id, expires_at)',
];
