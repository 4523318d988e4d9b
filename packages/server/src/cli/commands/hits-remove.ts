import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { parseAddress } from '../../crawlers/address.ts';
import { removeHits } from '../../crawlers/hits/remove-hits.ts';
import { CommandError } from '../../problems.ts';
import { Refusal } from '../../refusals.ts';
import { plural } from '../../values/plural.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printWords } from '../terminal/print.ts';

interface RemoveOptions {
  readonly database: string;
  readonly workspace: string;
  readonly address?: string;
  readonly withoutHost?: boolean;
  readonly read?: boolean;
  readonly imported?: boolean;
}

/** `overheard hits remove` */
export function removeHitsCommand(io: Io): Command {
  return new Command('remove')
    .summary('take back hits that were read in a wrong way, or imported')
    .description(
      "Removes hits of logs that were read through a proxy's address or without the name of their site, so that the logs can be read again in another way; otherwise both readings are kept. --read removes everything that was read from logs; imported hits stay. --imported removes the imported ones alone.",
    )
    .option('--address <address>', 'hits of this address, as long as theirs are kept')
    .option('--without-host', 'hits that have no name of a site')
    .option('--read', 'all hits that were read from logs')
    .option('--imported', 'all hits that were imported as rows, and no others')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExamples:\n  overheard hits remove --address 10.0.0.3 --workspace acme\n  overheard hits remove --without-host --workspace acme\n  overheard hits remove --imported --workspace acme',
    )
    .action(async ({ address, withoutHost = false, ...options }: RemoveOptions) => {
      const { read = false, imported = false } = options;
      refuseUnclear({ isNarrowed: address !== undefined || withoutHost, read, imported });
      const removal = {
        address: readAddress(address),
        isWithoutHost: withoutHost,
        isImported: imported,
      };
      const removed = await inWorkspace(options, (store, workspaceId) =>
        removeHits(store, workspaceId, removal),
      );
      printWords(
        io,
        removed === 0
          ? 'No hit matches: nothing was removed.'
          : `Removed ${plural(removed, 'hit')}.`,
      );
    });
}

function refuseUnclear({
  isNarrowed,
  read,
  imported,
}: {
  isNarrowed: boolean;
  read: boolean;
  imported: boolean;
}): void {
  if (imported && (isNarrowed || read)) {
    throw new CommandError(
      '--imported stands alone: imported hits have no address, no site and no log.',
      { exitCode: 2 },
    );
  }
  if (isNarrowed || read || imported) return;
  throw new CommandError(
    'Say which hits: --address ADDRESS, --without-host, or both; --read or --imported for all of a kind.',
    { exitCode: 2 },
  );
}

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parseAddress(text);
  if (parsed !== undefined) return parsed.text;
  throw new Refusal('address_malformed', { text });
}
