import { Command } from 'commander';
import { option, settings } from '../config.ts';
import { formatAddress, parseAddress } from '../crawlers/addresses/address.ts';
import { removeHits } from '../crawlers/hits/remove-hits.ts';
import { CommandError } from '../problems.ts';
import { inWorkspace } from './in-workspace.ts';
import type { Io } from './io.ts';
import { printWords } from './print.ts';

interface RemoveOptions {
  readonly database: string;
  readonly workspace: string;
  readonly address?: string;
  readonly withoutHost?: boolean;
}

/** `overheard hits remove` */
export function removeHitsCommand(io: Io): Command {
  return new Command('remove')
    .summary('take back hits that were read without the client or the site')
    .description(
      "Removes hits of logs that were read through a proxy's address or without the name of their site, so that the logs can be read again in another way; otherwise both readings are kept. Imported hits stay.",
    )
    .option('--address <address>', 'hits of this address, as long as theirs are kept')
    .option('--without-host', 'hits that have no name of a site')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExamples:\n  overheard hits remove --address 10.0.0.3 --workspace acme\n  overheard hits remove --without-host --workspace acme',
    )
    .action(async ({ address, withoutHost = false, ...options }: RemoveOptions) => {
      if (address === undefined && !withoutHost) {
        throw new CommandError('Say which hits: --address ADDRESS, --without-host, or both.', {
          exitCode: 2,
        });
      }
      const removal = { address: readAddress(address), isWithoutHost: withoutHost };
      const removed = await inWorkspace(options, (store, workspaceId) =>
        removeHits(store, workspaceId, removal),
      );
      printWords(io, `Removed ${removed} hits.`);
    });
}

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parseAddress(text);
  if (parsed !== undefined) return formatAddress(parsed);
  throw new CommandError(`"${text}" is no IP address.`, { exitCode: 2 });
}
