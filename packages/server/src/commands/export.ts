import { Command } from 'commander';
import { option, settings } from '../config.ts';
import type { Format } from '../rows/format.ts';
import { createProgress } from '../rows/progress.ts';
import { exportRows } from '../transfer/export-rows.ts';
import { writeToFile, writeToStream } from '../transfer/outlet.ts';
import type { Write } from '../transfer/outlet.ts';
import { findResource, formatOption, resourceArgument } from './import.ts';
import { inWorkspace } from './in-workspace.ts';
import type { WorkspaceOptions } from './in-workspace.ts';
import type { Io } from './io.ts';
import { printWords } from './print.ts';

/** `overheard export` */
export function exportCommand(io: Io): Command {
  return new Command('export')
    .summary('export prompts, actions, scores, detections or hits')
    .description(
      'Exports every row of one kind as it is stored, in the order of the API but without its caps, with ids, the prompts of runs and ranks of any date. It is one moment of the data, and `overheard import` takes it as it is.',
    )
    .addArgument(resourceArgument())
    .addOption(formatOption('to write').default('ndjson'))
    .option('--output <file>', 'write to a file, which appears when it is whole, instead of stdout')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', details)
    .action(async (name: string, { output, format, ...workspace }: Options) => {
      const resource = findResource(name);
      const progress = createProgress(io);
      const onProgress = (rows: number): void =>
        progress.update(() => `Exporting ${name}: ${rows.toLocaleString('en-US')} rows`);
      const rows = await inWorkspace(workspace, (store, workspaceId) => {
        const { signal } = io;
        const work = (write: Write): Promise<number> =>
          exportRows(store, { workspaceId, resource, format, signal, write, onProgress });
        return output === undefined ? writeToStream(io.stdout, work) : writeToFile(output, work);
      }).finally(() => progress.clear());
      if (output !== undefined) {
        printWords(io, `${output}: ${rows.toLocaleString('en-US')} ${name}.`);
      }
    });
}

interface Options extends WorkspaceOptions {
  readonly format: Format;
  readonly output?: string;
}

const details = `
Text is written as it is, also in CSV: a cell that begins with =, +, - or @ is data, which a
spreadsheet may take for a formula. Import such a file there with all columns as text.

Examples:
  overheard export detections --workspace acme > detections.ndjson
  overheard export prompts --workspace acme --format csv --output prompts.csv
  overheard export hits --workspace acme | gzip > hits.ndjson.gz`;
