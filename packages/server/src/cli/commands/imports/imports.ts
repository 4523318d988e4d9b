import { findImport, listImports, parseImportNumber } from '../../../imports/list-imports.ts';
import { revertImport } from '../../../imports/revert-import.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { confirm } from '../../terminal/confirm.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { quote } from '../../../refusals/quote.ts';
import { printWords } from '../../terminal/print.ts';
import { importLine, revertLines } from '../../words/revert-words.ts';
import { scoresJson } from '../../words/score-change-table.ts';
import { printable, printableLines } from '../../../values/printable.ts';

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the imports of a workspace, the last first',
  description:
    'Lists each imported file of rows with its counts, and whether it was reverted. Ingests of logs are not listed, nor are imports by a version without this command.',
  json: '{"imports":[{id, kind, file, content_hash, imported_at, imported_by, rows_new, rows_changed, rows_unchanged, parents_met, reverted_at, reverted_by}]}',
  examples: [
    'overheard imports list --workspace acme',
    `overheard imports list --workspace acme --json | jq '.imports[0].id'`,
  ],
  run: async ({ store, workspaceId }) => {
    const imports = await listImports(store.reader, workspaceId);
    return {
      json: { imports },
      table: tableOf(imports, 'No import is recorded in this workspace.', {
        ID: ({ id }) => id,
        KIND: ({ kind }) => kind,
        FILE: ({ file }) => printable(file),
        IMPORTED: (each) => each.imported_at,
        NEW: (each) => each.rows_new,
        CHANGED: (each) => each.rows_changed,
        UNCHANGED: (each) => each.rows_unchanged,
        REVERTED: (each) => each.reverted_at,
      }),
    };
  },
});

const revertCommand = defineWorkspaceCommand({
  name: 'revert',
  summary: 'revert an import: remove the rows that it created',
  description:
    'Removes the rows that an import created, and derives scores, counts of reports and derived actions again, in one transaction. Rows stay if another import has them too, or if they were changed since. Shows what would be removed and asks for confirmation; without a terminal it needs --yes.',
  arguments: { id: word('the number of the import, as `imports list` shows it') },
  options: {
    yes: flag('do not ask'),
    dryRun: flag('show what would be removed, and remove nothing'),
  },
  json: '{dry_run, id, kind, removed:{prompts, runs, detections, scores, actions, hits}, kept:[{table, import_id, rows, ids}], scores:[{date, engine, before, after}], actions:{removed, opened, updated}}',
  help: `Rows that several imports have stay until each of these is reverted; but a run that was first
imported with only its detections goes with its answer: import the detections again. Rows that an import
changed keep their new values, because the earlier ones are not stored. An action that a person has set stays.`,
  examples: [
    'overheard imports revert 3 --workspace acme --dry-run',
    'overheard imports revert 3 --workspace acme --yes',
  ],
  run: async ({ io, store, workspaceId }, { id: typed, yes, dryRun: isDryRun }) => {
    const id = parseNumber(typed);
    const options = { workspaceId, id, clock: io.clock };
    if (!yes && !isDryRun) {
      const record = await findImport(store.reader, workspaceId, id);
      if (record.reverted_at === null) {
        const preview = await revertImport(store, { ...options, isDryRun: true });
        const lines = [importLine(record), ...revertLines(preview, { isDryRun: true })];
        printWords(io, printableLines(lines));
        await confirm(io, { question: `Type ${id} to revert it:`, word: String(id) });
      }
    }
    const revert = await revertImport(store, { ...options, isDryRun });
    const { record, removed, kept, scores, actions } = revert;
    return {
      json: {
        dryRun: isDryRun,
        id,
        kind: record.kind,
        removed,
        kept,
        scores: scoresJson(scores),
        actions,
      },
      words: [importLine(record), ...revertLines(revert, { isDryRun })],
    };
  },
});

function parseNumber(typed: string): number {
  const id = parseImportNumber(typed);
  if (id !== undefined) return id;
  throw new UsageError(
    `${quote(typed)} is not the number of an import. See \`overheard imports list\`.`,
  );
}

export const importsCommand = defineGroup({
  name: 'imports',
  summary: 'list what was imported, and revert an import',
  description:
    'Imports of rows and answers: each is recorded, and can be reverted if the file, its mapping or an engine was wrong.',
  commands: [listCommand, revertCommand],
});
