import { resolve } from 'node:path';
import { settings } from '../../../config.ts';
import { Refusal } from '../../../refusals.ts';
import { isPostgresUrl, sqlitePath } from '../../../storage/open/database-url.ts';
import { restoreFiles } from '../../../storage/sqlite/backup/restore-files.ts';
import { databaseFiles } from '../../../storage/sqlite/files/files.ts';
import { shellWord } from '../../../values/shell-word.ts';
import { defineCommand, word } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';

const { database } = settings;

export const restoreCommand = defineCommand({
  name: 'restore',
  summary: 'put a backup in the place of the database',
  description:
    'Puts the files of a backup in the place of the embedded database. Stop every server and import first. The database of before is moved into a folder beside it, so that it can be restored again. What a restored ledger asks is in docs/collecting.md. For PostgreSQL use pg_restore.',
  arguments: { folder: word('the folder that `overheard backup` made') },
  options: {
    keepLedger: flag('keep the present ledger of paid questions, which knows what was asked since'),
    database,
  },
  json: '{database, replaced?}',
  examples: [
    'overheard restore backups/2026-11-20',
    'overheard restore /srv/backups/day-3 --database file:/srv/overheard/overheard.db',
  ],
  run: async ({ io }, { folder, database: url, keepLedger }) => {
    if (await isPostgresUrl(url)) throw new Refusal('restore_of_postgres', {});
    const files = databaseFiles(sqlitePath(url));
    const { replaced } = restoreFiles(resolve(folder), files, {
      keepsLedger: keepLedger,
      clock: io.clock,
    });
    return {
      json: { database: files.data, replaced: replaced ?? null },
      words: [
        `Restored ${files.data} from ${resolve(folder)}.`,
        replaced !== undefined &&
          `The database of before is in ${replaced}. To go back: overheard restore ${shellWord(replaced)}`,
        'Keys that were revoked after the backup open again: revoke them again.',
      ],
    };
  },
});
