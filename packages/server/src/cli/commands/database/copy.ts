import { copyBetween } from '../../../storage/open/copy-between.ts';
import { plural } from '../../../values/plural.ts';
import { defineCommand } from '../../define/define-command.ts';
import { requiredText } from '../../define/options.ts';

export const copyCommand = defineCommand({
  name: 'copy',
  summary: 'copy everything into another database, such as from SQLite to PostgreSQL',
  description:
    'Copies all workspaces with their ids, secrets, answers, hits, counts and history, and all keys, users and paid questions, into an empty database of either kind. Reads one snapshot: what is written meanwhile is not copied, so stop servers, imports and collectors first. A copy that was cut off goes on when the command runs again; until it is complete, nothing else opens it. At the end the number and the SHA-256 of the rows of each table are compared. The requests of the last hour, which the quota counts, are not copied.',
  options: {
    from: requiredText('<url>', 'the database to read'),
    to: requiredText('<url>', 'the empty database to fill; a file is created'),
  },
  json: '{"tables":[{table, rows, digest}]}',
  examples: [
    'overheard database copy --from file:overheard.db --to postgres://overheard@db.internal/overheard',
    'overheard database copy --from postgres://overheard@db.internal/overheard --to file:copy.db',
  ],
  run: async ({ io, progress }, { from, to }) => {
    const tables = await copyBetween(
      { from, to },
      {
        signal: io.signal,
        onRows: (table, rows) => progress.update(() => `Copied ${plural(rows, 'row')} of ${table}`),
      },
    );
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    return {
      json: { tables },
      words: [
        `Copied ${plural(rows, 'row')} of ${plural(tables.length, 'table')}. The rows of both databases are equal.`,
        'The copy asks no engine until you switch it on there: overheard engine add.',
        'The secret of the installation, which opens the stored keys of engines, is not in a database. Give the new server the same OVERHEARD_SECRET, or the file overheard.secret that lies beside an embedded database.',
      ],
    };
  },
});
