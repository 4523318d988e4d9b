import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import { isPostgresUrl } from '../../storage/open/database-url.ts';
import { distribute, hasCitus, isDistributed } from '../../storage/postgres/citus.ts';
import type { Io } from '../terminal/io.ts';
import { printWords } from '../terminal/print.ts';
import { withStore } from '../options/with-store.ts';

/** `overheard database distribute` */
export function databaseCommand(io: Io): Command {
  return new Command('database')
    .summary('spread the tables over a Citus cluster')
    .description('Operations on the database as a whole.')
    .addCommand(distributeCommand(io))
    .addHelpText('after', '\nHelp with an example: overheard database distribute --help');
}

function distributeCommand(io: Io): Command {
  return new Command('distribute')
    .summary('spread the tables over a Citus cluster, by workspace')
    .description(
      'Turns the tables into distributed tables of Citus by workspace; workspaces and keys are copied to every node. Stop servers and imports before: rows are moved. Later versions spread the tables that they add themselves. Needs PostgreSQL with the extension `citus`.',
    )
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action(async ({ database }: { database: string }) => {
      if (!(await isPostgresUrl(database))) {
        throw new CommandError(
          'Only a PostgreSQL database can be distributed. Name one: --database postgres://USER@HOST/NAME',
          { exitCode: 2 },
        );
      }
      await withStore(database, async ({ writer }) => {
        if (!(await hasCitus(writer))) throw withoutCitus();
        if (await isDistributed(writer)) {
          printWords(io, 'Nothing changed: the tables are distributed already.');
          return;
        }
        await distribute(writer);
        printWords(io, 'Distributed the tables by workspace.');
      });
    });
}

function withoutCitus(): CommandError {
  return new CommandError(
    [
      'This database has no extension `citus`: nothing was changed.',
      'On a Citus cluster, run `create extension citus` in this database on every node, add the workers with `citus_add_node`, then try again.',
      'https://docs.citusdata.com/en/stable/installation/multi_node.html',
    ].join('\n'),
  );
}

const examples = `
Example:
  overheard database distribute --database postgres://overheard@coordinator.example/overheard`;
