import { open, rm } from 'node:fs/promises';
import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { exportSecret, importSecret, parseSecret } from '../../crawlers/secret.ts';
import { CommandError } from '../../problems.ts';
import { openSource, reason } from '../../rows/source.ts';
import { findWorkspace } from '../../workspaces/workspaces.ts';
import type { Io } from '../terminal/io.ts';
import { printWords } from '../terminal/print.ts';
import { withStore } from '../options/with-store.ts';

/** `overheard workspace export-secret` */
export function exportSecretCommand(io: Io): Command {
  return new Command('export-secret')
    .summary('write the secret that hits are recognised by')
    .description(
      'Writes the secret under which a workspace recognises the hits of its logs: 64 hexadecimal digits. Move it with the hits, or the same log read on the other server makes every hit twice. Who has it can find out addresses from the ids of hits: keep it like a key.',
    )
    .argument('<slug>', 'the workspace')
    .option('--output <file>', 'write to a new file that only you can read, instead of stdout')
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action(async (slug: string, { database, output }: ExportOptions) => {
      const secret = await withStore(database, async (store) =>
        exportSecret(store, (await findWorkspace(store.reader, slug)).id),
      );
      if (output === undefined) {
        io.stdout.write(`${secret}\n`);
        return;
      }
      await writeSecret(output, `${secret}\n`);
      printWords(io, `${output}: the secret of ${slug}. Remove the file once it is imported.`);
    });
}

/** `overheard workspace import-secret` */
export function importSecretCommand(io: Io): Command {
  return new Command('import-secret')
    .summary('take over the secret of a workspace that was moved')
    .description(
      'Gives a workspace the secret that `overheard workspace export-secret` wrote on another server, so that logs read there and here make the same hits. Do it before the first log is read here. It is refused where hits were read from logs under another secret.',
    )
    .argument('<slug>', 'the workspace')
    .argument('<file>', 'file to read, or - for standard input')
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action(async (slug: string, file: string, { database }: ImportOptions) => {
      const secret = await readSecret(file, io);
      const hasChanged = await withStore(database, async (store) =>
        importSecret(store, (await findWorkspace(store.reader, slug)).id, { secret, slug }),
      );
      printWords(
        io,
        hasChanged
          ? `${slug} has the secret of ${file === '-' ? 'standard input' : file} now.`
          : `Nothing changed: ${slug} has this secret already.`,
      );
    });
}

/** Refuses a file that is there: it may be another workspace's only secret. */
async function writeSecret(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = isThere ? 'it exists already' : reason(error);
    throw new CommandError(`${path} cannot be written: ${why}.`, { cause: error });
  });
  try {
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw new CommandError(`${path} cannot be written: ${reason(error)}.`, { cause: error });
  } finally {
    await file.close();
  }
}

const bytesMax = 1024;

async function readSecret(path: string, io: Io): Promise<string> {
  const { name, stream } = await openSource(path, io);
  let text = '';
  try {
    for await (const chunk of stream) {
      text += String(chunk);
      if (text.length > bytesMax) break;
    }
  } catch (error) {
    throw new CommandError(`${name} cannot be read: ${reason(error)}.`, { cause: error });
  } finally {
    stream.destroy();
  }
  const secret = parseSecret(text);
  if (secret !== undefined) return secret;
  // What it holds is not shown: it may be a key.
  throw new CommandError(
    `${name} is not a secret: expected the 64 hexadecimal digits that \`overheard workspace export-secret\` writes.`,
  );
}

interface ExportOptions {
  readonly database: string;
  readonly output?: string;
}

interface ImportOptions {
  readonly database: string;
}

const examples = `
Examples:
  overheard workspace export-secret acme --output acme.secret
  overheard workspace import-secret acme acme.secret
  overheard workspace export-secret acme |
    overheard workspace import-secret acme - --database postgres://overheard@db.internal/overheard`;
