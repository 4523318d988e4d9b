import { settings } from '../../../config.ts';
import { isPostgresUrl } from '../../../storage/open/database-url.ts';
import { distribute, requireCitus } from '../../../storage/postgres/citus.ts';
import { requireLedger } from '../../../collect/ledger/require-ledger.ts';
import { noteRestore } from '../../../storage/ledger-home.ts';
import { defineCommand, defineGroup, defineStoreCommand } from '../../define/define-command.ts';
import { copyCommand } from './copy.ts';
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
      const hasChanged = await distribute(writer);
      return {
        json: { hasChanged },
        words: hasChanged
          ? 'Distributed the tables by workspace.'
          : 'Nothing changed: the tables are distributed already.',
      };
    });
  },
});

const restoredCommand = defineStoreCommand({
  name: 'restored',
  summary: 'say that the database was restored, so that no question is billed again',
  description:
    'Notes that this database was restored just now. Questions that were asked after the backup was made are not in it. So of today, no sweep is asked that has begun by now. Run it after every restore of PostgreSQL, and after a copy of the files that `overheard backup` did not make, before anything asks engines.',
  json: '{restored_at}',
  examples: ['overheard database restored --database postgres://overheard@db.example/overheard'],
  run: async ({ io, store }) => {
    const ledger = await requireLedger(store);
    const clock = await store.ledgerClock(io.clock);
    const at = new Date(clock()).toISOString();
    const restoredAt = await noteRestore(ledger, { at, isTold: true });
    return {
      json: { restoredAt },
      words: `Noted that the database was restored at ${at}. Of today, sweeps that had begun before then are not asked.`,
    };
  },
});

export const databaseCommand = defineGroup({
  name: 'database',
  summary: 'copy a database, spread it over a Citus cluster, or note a restore',
  description: 'Operations on the database as a whole.',
  commands: [copyCommand, distributeCommand, restoredCommand],
});
