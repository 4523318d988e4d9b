import type { Migration } from './migration.ts';

/** The range of an answer that counts. `answers redetect` fills it for the stored answers. */
export const countedRange: Migration = {
  name: 'counted range',
  up: async (db) => {
    for (const column of ['counts_from', 'counts_to']) {
      await db.schema.alterTable('answers').addColumn(column, 'integer').execute();
    }
  },
};
