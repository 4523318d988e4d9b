import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import { formatOfName } from '../../rows/format.ts';
import type { Format } from '../../rows/format.ts';
import { createProgress } from '../terminal/progress.ts';
import { exportRows } from '../../transfer/export-rows.ts';
import { refuseOutput, writeToFile, writeToStream } from '../../transfer/outlet.ts';
import type { Write } from '../../transfer/outlet.ts';
import { findResource, formatOption, resourceArgument } from './import.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printWords } from '../terminal/print.ts';

/** `overheard export` */
export function exportCommand(io: Io): Command {
  return new Command('export')
    .summary('export prompts, actions, scores, detections or hits')
    .description(
      'Exports every row of one kind as it is stored, in the order of the API but without its caps, with ids, the prompts of runs and ranks of any date. It is one moment of the data, and `overheard import` takes it as it is.',
    )
    .addArgument(resourceArgument())
    .addOption(formatOption('to write; the name of the output decides if left out, else ndjson'))
    .option('--output <file>', 'write to a file, which appears when it is whole, instead of stdout')
    .option('--force', 'replace the output file if it exists')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', details)
    .action(async (name: string, { output, force = false, ...options }: Options) => {
      const { format = formatOf(output), ...workspace } = options;
      const resource = findResource(name);
      if (output !== undefined) await refuseOutput(output, { isForced: force });
      const progress = createProgress(io);
      const onProgress = (rows: number): void =>
        progress.update(() => `Exporting ${name}: ${rows.toLocaleString('en-US')} rows`);
      const rows = await inWorkspace(workspace, (store, workspaceId) => {
        const { signal } = io;
        const work = (write: Write): Promise<number> =>
          exportRows(store, { workspaceId, resource, format, signal, write, onProgress });
        return output === undefined
          ? writeToStream(io.stdout, work)
          : writeToFile(output, work, { isForced: force });
      }).finally(() => progress.clear());
      if (output !== undefined) {
        printWords(io, `${output}: ${rows.toLocaleString('en-US')} ${name}.`);
      }
    });
}

interface Options extends WorkspaceOptions {
  readonly format?: Format;
  readonly output?: string;
  readonly force?: boolean;
}

/** `import` reads a file by its name, so the name decides what is written. */
function formatOf(output: string | undefined): Format {
  if (output === undefined) return 'ndjson';
  const [packed] = /\.(?:gz|zst|br|bz2|xz|zip|xlsx?)$/i.exec(output) ?? [];
  if (packed === undefined) return formatOfName(output) ?? 'ndjson';
  throw new CommandError(
    `Export writes no ${packed} files. Name one that ends with .csv, .ndjson or .json, or pipe the output: overheard export ... | gzip > FILE`,
    { exitCode: 2 },
  );
}

const details = `
Text is written as it is, also in CSV: a cell that begins with =, +, - or @ is data, which a
spreadsheet may take for a formula. Import such a file there with all columns as text.

Examples:
  overheard export detections --workspace acme > detections.ndjson
  overheard export prompts --workspace acme --output prompts.csv
  overheard export hits --workspace acme | gzip > hits.ndjson.gz`;
