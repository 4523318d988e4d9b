import type { Migration } from '../migration.ts';

/** Whether a person has switched a prompt on, so that it is put to engines for money. */
export const collectedPrompts: Migration = {
  name: 'collected prompts',
  up: async ({ schema }) => {
    await schema
      .alterTable('prompts')
      .addColumn('collect', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute();
  },
  distributed: [],
  reference: [],
};
