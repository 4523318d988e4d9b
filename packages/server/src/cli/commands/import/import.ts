import { formats } from '../../../rows/format.ts';
import { openSource } from '../../../rows/source.ts';
import type { Source } from '../../../rows/source.ts';
import type { Refusal } from '../../../refusals.ts';
import { fieldsOf } from '../../../transfer/field.ts';
import { importRows } from '../../../transfer/import-rows.ts';
import type { RowImportSummary } from '../../../transfer/import-rows.ts';
import type { Resource } from '../../../transfer/resource.ts';
import { resources } from '../../../transfer/all-resources.ts';
import { amount, thousands } from '../../../values/plural.ts';
import { defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { choice, flag, newEngine } from '../../define/options.ts';
import type { Lines } from '../../../values/printable.ts';
import { nothingImported, withConsequence } from '../../words/consequence.ts';
import { engineHelp, newEngineWords } from '../../words/new-engine-words.ts';

/** The kind of rows, as the first word of `import` and `export`. */
export const resourceArgument = {
  ...word('kind of rows'),
  choices: resources.map(({ name }) => name),
};

const help = `
${fieldsHelp()}

Formats:
  ndjson  one JSON object per line
  json    an array of objects, or the body of the API such as {"scores":[...]}
  csv     with a header; separated by commas, semicolons or tabs; in UTF-8.
          A first line such as sep=; is heeded. An empty cell says nothing about its field.
          true, TRUE and 1 are true; 0,35 is a number where semicolons or tabs separate.
A moment has its zone and becomes UTC. A share of voice is a ratio from 0 to 1.
${engineHelp}
`;

export const importCommand = defineWorkspaceCommand({
  name: 'import',
  summary: 'import prompts, actions, scores, detections or hits from a file',
  description:
    'Imports a file into a workspace, completely or not at all: every row is checked first, and nothing is written if one is refused. Importing the same file again changes nothing. A row with a stored id updates that row, and its missing fields stay as they are.',
  arguments: {
    resource: resourceArgument,
    file: word('file to read, or - for standard input; also packed as .gz, .zst or .br'),
  },
  options: {
    format: choice(
      '<format>',
      formats,
      'format of the file; detected from its name or content if left out',
    ),
    newEngine,
    dryRun: flag('show what would be imported, and import nothing'),
  },
  json: '{dry_run, import_id, read, rows:{new, changed, unchanged, kept}, parents, new_engines}',
  help,
  examples: [
    'overheard import prompts prompts.csv --workspace acme',
    'overheard import scores scores.json --workspace acme --dry-run',
    'overheard import hits hits.ndjson.gz --workspace acme',
    'overheard export actions --workspace acme | overheard import actions - --workspace other',
    'curl -sH "Authorization: Bearer $KEY" https://api.example.com/api/v1/scores |',
    '  overheard import scores - --workspace acme',
  ],
  run: async ({ io, store, workspaceId, progress }, { resource: name, file, ...values }) => {
    const resource = findResource(name);
    const source = await openSource(file, io);
    let total = 0;
    const work = importRows(store, {
      workspaceId,
      resource,
      source,
      format: values.format,
      acceptsNewEngines: values.newEngine,
      isDryRun: values.dryRun,
      clock: io.clock,
      signal: io.signal,
      onRead: ({ bytes, rows }) => {
        total = rows;
        const share = source.bytesTotal && bytes / source.bytesTotal;
        progress.update(() => `Reading ${source.name}: ${amount(rows, 'row')}`, share);
      },
      onWritten: (rows) =>
        progress.update(() => `Writing ${source.name}: ${amount(rows, 'row')}`, rows / total),
    });
    const summary = await withConsequence(store, work, consequences);
    return {
      json: { dryRun: values.dryRun, ...summary },
      words: summaryLines(summary, { resource, source, isDryRun: values.dryRun }),
    };
  },
});

const consequences = {
  onRefusal: (refusal: Refusal) => nothingImported(refusal, () => columnAdvice),
  // If the connection broke at the very end, nobody here knows whether the file was written.
  unavailable: 'Import the file again. Rows that are stored already stay as they are.',
};

const columnAdvice =
  'Rename the columns: `overheard import --help` lists the fields. Answers of engines are imported with a mapping of their columns: overheard answers import FILE --map MAP';

/** Finds the resource of a name that `resourceArgument` has accepted. */
export function findResource(name: string): Resource {
  const resource = resources.find((each) => each.name === name);
  if (resource === undefined) throw new TypeError('The argument has been checked');
  return resource;
}

function summaryLines(
  { read, rows, parents, newEngines }: RowImportSummary,
  { resource, source, isDryRun }: { resource: Resource; source: Source; isDryRun: boolean },
): Lines {
  if (read === 0) return [`${source.name} has no rows: nothing to import.`];
  const unchanged = read - rows.new - rows.changed - rows.kept;
  const keptLine =
    rows.kept === 0 ? '' : `, ${thousands(rows.kept)} kept: Overheard counts these itself`;
  return [
    `${source.name}: ${amount(read, resource.name.slice(0, -1))} read: ${thousands(rows.new)} new, ${thousands(rows.changed)} changed, ${thousands(unchanged)} unchanged${keptLine}.`,
    parents !== undefined &&
      resource.parent !== undefined &&
      `Their ${resource.parent.word}s: ${thousands(parents.new)} new, ${thousands(parents.changed)} changed, ${thousands(parents.unchanged)} unchanged.`,
    newEngineWords(newEngines),
    isDryRun && 'This was a dry run: nothing was written.',
  ];
}

/** The fields of each resource for the help. Optional fields are in brackets. */
function fieldsHelp(): string {
  const width = Math.max(...resources.map(({ name }) => name.length)) + 2;
  const lines = resources.map(({ name, row }) => {
    const fields = fieldsOf(row).map((field) =>
      field.isRequired ? field.name : `[${field.name}]`,
    );
    return `  ${name.padEnd(width)}${fields.join(' ')}`;
  });
  return ['Fields, as in the API; those in brackets may be left out:', ...lines].join('\n');
}
