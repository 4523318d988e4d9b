import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** The language and market of a workspace, and when it was archived. */
export const workspaceState: Migration = {
  name: 'workspace state',
  up: async ({ schema }, dialect) => {
    const text = sql.raw(columnTypes.text[dialect]);
    await schema.alterTable('workspaces').addColumn('locale', text).execute();
    await schema.alterTable('workspaces').addColumn('archived_at', text).execute();
  },
};
