import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { pruneAddresses } from '../../crawlers/hits/prune.ts';
import { keepAddresses } from '../../crawlers/settings.ts';
import { CommandError } from '../../problems.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printWords } from '../terminal/print.ts';

interface PruneOptions {
  readonly database: string;
  readonly workspace: string;
  readonly keepAddressesDays?: string;
}

/** `overheard prune` */
export function pruneCommand(io: Io): Command {
  return new Command('prune')
    .summary('drop what is older than it is kept')
    .description(
      'Drops the client addresses of hits that are older than the workspace keeps them, 30 days unless it was told otherwise. Hits whose verdict waits for a list are judged first, and keep their address for 90 days more if no list is there. The hits stay. `hits ingest` does the same at its end.',
    )
    .option('--keep-addresses-days <days>', 'keep addresses for so long from now on, 0 to 3650')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExamples:\n  overheard prune --workspace acme\n  overheard prune --workspace acme --keep-addresses-days 7',
    )
    .action(async ({ keepAddressesDays, ...options }: PruneOptions) => {
      const days = keepAddressesDays === undefined ? undefined : parseDays(keepAddressesDays);
      const dropped = await inWorkspace(options, async (store, workspaceId) => {
        if (days !== undefined) await keepAddresses(store, workspaceId, { days });
        return pruneAddresses(store, workspaceId, { nowMs: io.clock() });
      });
      printWords(io, `Dropped the addresses of ${dropped} hits.`);
    });
}

function parseDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (days <= 3650) return days;
  throw new CommandError(`"${text}" is no number of days from 0 to 3650.`, { exitCode: 2 });
}
