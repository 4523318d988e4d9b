import { formatOfName, formats } from '../../../rows/format.ts';
import type { Format } from '../../../rows/format.ts';
import { exportRows } from '../../../transfer/export-rows.ts';
import type { SliceOptions } from '../../../transfer/export-rows.ts';
import { refuseOutput, writeToFile, writeToStream } from '../../../transfer/write-output.ts';
import type { Write } from '../../../transfer/write-output.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import type { Context, OptionValues } from '../../define/define-command.ts';
import type { Output } from '../../define/output.ts';
import { choice, flag, text } from '../../define/options.ts';
import { findResource, resourceArgument } from '../import/import.ts';
import { Refusal } from '../../../refusals.ts';
import { amount, thousands } from '../../../values/plural.ts';

const help = `
Text is written as it is, also in CSV: a cell that begins with =, +, - or @ is data, but a
spreadsheet may run it as a formula. Import such a file there with all columns as text.
`;

/** Options for the output of an export. */
export const outputOptions = {
  format: choice(
    '<format>',
    formats,
    'format to write; the name of the output decides if left out, else ndjson',
  ),
  output: text('<file>', 'write to a file, which appears when it is complete, instead of stdout'),
  force: flag('replace the output file if it exists'),
};

export const exportCommand = defineWorkspaceCommand({
  name: 'export',
  summary: 'export prompts, actions, scores, detections or hits',
  description:
    'Exports every row of one kind as it is stored, in the order of the API but without its caps, with ids, the prompts of runs and ranks of any date. It is a snapshot of one moment, and `overheard import` accepts it unchanged.',
  arguments: { resource: resourceArgument },
  options: outputOptions,
  help,
  examples: [
    'overheard export detections --workspace acme > detections.ndjson',
    'overheard export prompts --workspace acme --output prompts.csv',
    'overheard export hits --workspace acme | gzip > hits.ndjson.gz',
  ],
  run: async (context, { resource: name, ...values }) => {
    const { store, workspaceId } = context;
    const resource = findResource(name);
    return writeExport(context, values, {
      name,
      work: (options) => exportRows(store, { ...options, workspaceId, resource }),
    });
  },
});

/** Lets `work` write rows to the output that the options name, or to stdout. */
export async function writeExport(
  { io, progress }: Context,
  { output, format = formatOf(output), force: isForced }: OptionValues<typeof outputOptions>,
  { name, work: writeRows }: { name: string; work: (options: SliceOptions) => Promise<number> },
): Promise<Output | undefined> {
  if (output !== undefined) await refuseOutput(output, { isForced });
  const { signal } = io;
  const onProgress = (rows: number): void =>
    progress.update(() => `Exporting ${name}: ${amount(rows, 'row')}`);
  const work = async (write: Write) => writeRows({ format, signal, write, onProgress });
  if (output === undefined) {
    await writeToStream(io.stdout, work);
    return undefined;
  }
  const rows = await writeToFile(output, work, { isForced });
  return { words: `${output}: ${thousands(rows)} ${name}.` };
}

/** The file's name decides the format, because `import` reads a file by its name. */
function formatOf(output: string | undefined): Format {
  if (output === undefined) return 'ndjson';
  const [packed] = /\.(?:gz|zst|br|bz2|xz|zip|xlsx?)$/i.exec(output) ?? [];
  if (packed === undefined) return formatOfName(output) ?? 'ndjson';
  throw new Refusal('output_packed', { ending: packed });
}
