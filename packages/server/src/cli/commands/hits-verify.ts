import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { verifyHits } from '../../crawlers/hits/verify-hits.ts';
import type { VerifiedHits } from '../../crawlers/hits/verify-hits.ts';
import { CommandError } from '../../problems.ts';
import { createProgress } from '../terminal/progress.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { systemHostNames } from '../operator-lists/system-host-names.ts';

interface VerifyOptions {
  readonly database: string;
  readonly workspace: string;
  readonly dns: boolean;
  readonly json?: boolean;
}

/** `overheard hits verify` */
export function verifyHitsCommand(io: Io): Command {
  return new Command('verify')
    .summary('judge the hits again by newer or nearer lists')
    .description(
      'Judges every hit whose address is still kept again, by the lists that are here now, and says what changed.',
    )
    .option('--no-dns', 'ask for no host names')
    .option(
      '--json',
      'print JSON: {"judged", "without_address", "changed":[{bot, from, to, reason, hits}]}',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExample:\n  overheard ranges update && overheard hits verify --workspace acme',
    )
    .action(async ({ json = false, dns, ...options }: VerifyOptions) => {
      const progress = createProgress(io);
      const result = await inWorkspace(options, (store, workspaceId) =>
        verifyHits(store, workspaceId, {
          hostNames: systemHostNames(io, { dns }),
          clock: io.clock,
          signal: io.signal,
          onJudged: (hits) => progress.update(() => `${hits.toLocaleString('en-US')} hits judged`),
        }),
      );
      progress.clear();
      if (json) printResult(io, result);
      else printChanges(io, result);
      if (result.isStopped) {
        throw new CommandError('Stopped. What was judged is kept; the rest is as it was.');
      }
    });
}

function printResult(io: Io, { judged, withoutAddress, changed }: VerifiedHits): void {
  printJson(io, { judged, without_address: withoutAddress, changed });
}

function printChanges(io: Io, { judged, withoutAddress, changed }: VerifiedHits): void {
  printWords(
    io,
    `Judged ${judged} hits again; ${withoutAddress} have no address any more and stay as they are.`,
  );
  printTable(io, {
    headings: ['BOT', 'FROM', 'TO', 'WHY', 'HITS'],
    rows: changed.map(({ bot, from, to, reason, hits }) => [bot, from, to, reason, String(hits)]),
    none: 'No verdict changed.',
  });
}
