import { changes } from '@overheard/contract';
import { readChanges } from '../../../reports/changes.ts';
import { utcDay } from '../../../values/time/utc-day.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';
import { inSnapshot } from '../../define/with-store.ts';
import { parameter } from '../../filters/parameter.ts';
import { UsageError } from '../../terminal/command-error.ts';

const { since } = changes.query.shape;

const refusedCursors = {
  malformed: '--since is not a cursor. Give it the one that the last call printed.',
  cursor_too_old:
    'The database was restored since --since was printed, or too much was written. Call it without --since, and read everything again.',
};

export const changesCommand = defineWorkspaceCommand({
  name: 'changes',
  summary: 'which days changed, for a warehouse that follows them',
  description:
    'Lists the UTC days whose answers, detections, scores or hits changed since a cursor, at most 1,000, those last written last; without --since every day that ever had rows. Prints the cursor of what changes afterwards. To keep a copy, replace all rows of each listed kind and day.',
  options: { since: parameter('<cursor>', since, 'the cursor that the last call printed') },
  json: `{changes:[{kind, date}], next}`,
  hasCsv: true,
  examples: [
    'overheard changes --workspace acme --json',
    'overheard changes --workspace acme --json --since WzQyLCJxUTdWdTJkeVA2X3oiXQ',
  ],
  run: async (context, values) =>
    inSnapshot(context, async (source) => {
      const today = utcDay(context.io.clock());
      const page = await readChanges(source, { since: values.since, today });
      if (typeof page === 'string') throw new UsageError(refusedCursors[page]);
      const { rows, next } = page;
      return {
        json: { changes: rows, next },
        csv: { fields: changes.fields, rows },
        table: tableOf(rows, '', { DATE: ({ date }) => date, KIND: ({ kind }) => kind }),
        words: [rows.length === 0 && 'Nothing changed.', `What changes next: --since ${next}`],
      };
    }),
});
