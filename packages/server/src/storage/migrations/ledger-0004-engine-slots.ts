import type { Migration } from './migration.ts';

/** The open questions of engines with a limit of open questions. */
export const engineSlots: Migration = {
  name: 'engine slots',
  up: async ({ schema }, { text }) => {
    await schema
      .createTable('engine_slots')
      .addColumn('engine', text, (column) => column.notNull())
      .addColumn('slot', 'double precision', (column) => column.notNull())
      .addColumn('claim', text, (column) => column.notNull())
      .addColumn('lease_until', text, (column) => column.notNull())
      .addPrimaryKeyConstraint('engine_slots_key', ['engine', 'slot'])
      .execute();
  },
  distributed: [],
  reference: ['engine_slots'],
  withoutWorkspace: ['engine_slots'],
};
