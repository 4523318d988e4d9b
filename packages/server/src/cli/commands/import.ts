import { Argument, Command, Option } from 'commander';
import { option, settings } from '../../config.ts';
import { formats } from '../../rows/format.ts';
import type { Format } from '../../rows/format.ts';
import { createProgress } from '../terminal/progress.ts';
import { openSource } from '../../rows/source.ts';
import type { Source } from '../../rows/source.ts';
import { importRows } from '../../transfer/import-rows.ts';
import type { ImportSummary } from '../../transfer/import-rows.ts';
import { fieldsHelp } from '../../transfer/fields-help.ts';
import { resources } from '../../transfer/resources.ts';
import type { Resource } from '../../transfer/resource.ts';
import type { Refusal } from '../../refusals.ts';
import { nothingImported, withConsequence } from '../words/consequence.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { engineHelp, newEngineOption, newEngineWords } from '../words/new-engine.ts';
import { printWords } from '../terminal/print.ts';

/** `overheard import` */
export function importCommand(io: Io): Command {
  return new Command('import')
    .summary('import prompts, actions, scores, detections or hits from a file')
    .description(
      'Imports a file into a workspace, whole or not at all: every row is checked first, and nothing is written if one is refused. The same file again changes nothing; a row whose id is there already is updated where it differs, and what it leaves out stays as it is.',
    )
    .addArgument(resourceArgument())
    .argument('<file>', 'file to read, or - for standard input; also packed as .gz, .zst or .br')
    .addOption(formatOption('of the file; found out from its name or content where left out'))
    .addOption(newEngineOption())
    .option('--dry-run', 'do everything but keep nothing, and say what would be')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', `\n${fieldsHelp(resources)}\n${details}`)
    .action(async (name: string, file: string, options: Options) => {
      const resource = findResource(name);
      const source = await openSource(file, io);
      const summary = await inWorkspace(options, (store, workspaceId) =>
        withProgress(io, source, (progress) =>
          withConsequence(
            importRows(store, {
              workspaceId,
              resource,
              source,
              format: options.format,
              hasNewEngine: options.newEngine ?? false,
              isDryRun: options.dryRun ?? false,
              clock: io.clock,
              signal: io.signal,
              ...progress,
            }),
            consequences,
          ),
        ),
      );
      printWords(io, summaryWords(summary, { resource, source, options }));
    });
}

const consequences = {
  refused: (refusal: Refusal) => nothingImported(refusal, () => columnAdvice),
  // If the connection broke at the very end, nobody here knows whether the file was written.
  unavailable: 'Import the file again: rows that are there already stay as they are.',
};

const columnAdvice =
  'Rename the columns: `overheard import --help` lists the fields. Answers of engines are imported with a mapping of their columns: overheard answers import FILE --map MAP';

interface Options extends WorkspaceOptions {
  readonly format?: Format;
  readonly newEngine?: boolean;
  readonly dryRun?: boolean;
}

/** The kind of rows, as the first word of a command. */
export function resourceArgument(): Argument {
  return new Argument('<resource>', 'kind of rows').choices(resources.map(({ name }) => name));
}

/** The option that names a format. */
export function formatOption(words: string): Option {
  return new Option('--format <format>', `format ${words}`).choices([...formats]);
}

/** The resource of a name that `resourceArgument` has let through. */
export function findResource(name: string): Resource {
  const resource = resources.find((each) => each.name === name);
  if (resource === undefined) throw new TypeError('The argument has been checked');
  return resource;
}

async function withProgress<Result>(
  io: Io,
  { name, bytesTotal }: Source,
  work: (listeners: Listeners) => Promise<Result>,
): Promise<Result> {
  const progress = createProgress(io);
  let total = 0;
  try {
    return await work({
      onRead: ({ bytes, rows }) => {
        total = rows;
        const share = bytesTotal === undefined ? undefined : bytes / bytesTotal;
        progress.update(() => `Reading ${name}: ${count(rows)} rows`, share);
      },
      onWritten: (rows) =>
        progress.update(() => `Writing ${name}: ${count(rows)} rows`, rows / total),
    });
  } finally {
    progress.clear();
  }
}

type Listeners = Required<Pick<Parameters<typeof importRows>[1], 'onRead' | 'onWritten'>>;

function summaryWords(
  { read, rows, parents, newEngines }: ImportSummary,
  { resource, source, options }: { resource: Resource; source: Source; options: Options },
): string {
  if (read === 0) return `${source.name} has no rows: nothing to import.`;
  const unchanged = read - rows.new - rows.changed - rows.kept;
  const kept = rows.kept === 0 ? '' : `, ${count(rows.kept)} kept: Overheard counts these itself`;
  return [
    `${source.name}: ${count(read)} ${resource.name} read: ${count(rows.new)} new, ${count(rows.changed)} changed, ${count(unchanged)} unchanged${kept}.`,
    ...(parents === undefined || resource.parent === undefined
      ? []
      : [
          `Their ${resource.parent.word}s: ${count(parents.new)} new, ${count(parents.changed)} changed, ${count(parents.unchanged)} unchanged.`,
        ]),
    ...[newEngineWords(newEngines)].filter((words) => words !== false),
    ...(options.dryRun === true ? ['This was a dry run: nothing was written.'] : []),
  ].join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

const details = `
Formats:
  ndjson  one JSON object per line
  json    an array of objects, or the body of the API such as {"scores":[...]}
  csv     with a header; separated by commas, semicolons or tabs; in UTF-8.
          A first line such as sep=; is heeded. An empty cell says nothing about its field.
          true, TRUE and 1 are true; 0,35 is a number where semicolons or tabs separate.
A moment has its zone and becomes UTC. A share of voice is a ratio from 0 to 1.
${engineHelp}

Examples:
  overheard import prompts prompts.csv --workspace acme
  overheard import scores scores.json --workspace acme --dry-run
  overheard import hits hits.ndjson.gz --workspace acme
  overheard export actions --workspace acme | overheard import actions - --workspace other
  curl -sH "Authorization: Bearer $KEY" https://api.example.com/api/v1/scores |
    overheard import scores - --workspace acme`;
