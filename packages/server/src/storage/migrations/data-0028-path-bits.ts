import { sql } from 'kysely';
import { columnTypes } from '../tables/table.ts';
import type { Migration } from './migration.ts';

/** Which paths ordinary visitors got, and which refused them. Older logs have none until they are read again. */
export const pathBits: Migration = {
  name: 'path bits',
  up: async ({ schema }, dialect) => {
    await schema
      .createTable('path_bits')
      .addColumn('workspace_id', sql.raw(columnTypes.text[dialect]), (column) => column.notNull())
      .addColumn('slot', 'integer', (column) => column.notNull())
      .addColumn('bits', sql.raw(columnTypes.bytes[dialect]), (column) => column.notNull())
      .addPrimaryKeyConstraint('path_bits_key', ['workspace_id', 'slot'])
      .execute();
  },
};
