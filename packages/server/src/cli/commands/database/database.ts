import { settings } from '../../../config.ts';
import { isPostgresUrl } from '../../../storage/open/database-url.ts';
import { distribute, isDistributed, requireCitus } from '../../../storage/postgres/citus.ts';
import { defineCommand, defineGroup } from '../../define/define-command.ts';
import { withStore } from '../../define/with-store.ts';
import { Refusal } from '../../../refusals.ts';

const { database } = settings;

const distributeCommand = defineCommand({
  name: 'distribute',
  summary: 'spread the tables over a Citus cluster, by workspace',
  description:
    'Turns the tables into distributed tables of Citus by workspace; workspaces and keys are copied to every node. Stop servers and imports first, because rows are moved. Later versions distribute their new tables by themselves. Needs PostgreSQL with the extension `citus`.',
  options: { database },
  json: '{has_changed}',
  examples: [
    'overheard database distribute --database postgres://overheard@coordinator.example/overheard',
  ],
  run: async (_, { database: url }) => {
    if (!(await isPostgresUrl(url))) {
      throw new Refusal('distribution_of_sqlite', {});
    }
    return withStore(url, async ({ writer }) => {
      await requireCitus(writer);
      const hasChanged = !(await isDistributed(writer));
      if (hasChanged) await distribute(writer);
      return {
        json: { hasChanged },
        words: hasChanged
          ? 'Distributed the tables by workspace.'
          : 'Nothing changed: the tables are distributed already.',
      };
    });
  },
});

export const databaseCommand = defineGroup({
  name: 'database',
  summary: 'spread the tables over a Citus cluster',
  description: 'Operations on the database as a whole.',
  commands: [distributeCommand],
});
