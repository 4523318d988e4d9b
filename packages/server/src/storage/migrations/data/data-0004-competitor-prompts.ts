import type { Kysely } from 'kysely';
import type { Migration } from '../migration.ts';

/** Whether a run's prompt names a competitor; null until an older run is judged again. */
export const competitorPrompts: Migration = {
  name: 'competitor prompts',
  up: addCompetitorPrompts,
  distributed: [],
  reference: [],
};

async function addCompetitorPrompts({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('runs').addColumn('names_competitor', 'boolean').execute();
}
