import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { judgeUndecided } from '../../crawlers/hits/verify-hits.ts';
import { parseBound } from '../../crawlers/ingest/read-options.ts';
import { importRanges } from '../../crawlers/operators/import-ranges.ts';
import { listRanges } from '../../crawlers/operators/list-files.ts';
import { readKnownFiles } from '../../crawlers/operators/operator-file.ts';
import type { OperatorFile } from '../../crawlers/operators/operator-file.ts';
import { removeRanges } from '../../crawlers/operators/remove-ranges.ts';
import { updateRanges } from '../../crawlers/operators/update-ranges.ts';
import { CommandError } from '../../problems.ts';
import { dayMs } from '../../values/utc-day.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { systemHostNames } from '../operator-lists/system-host-names.ts';
import { withStore } from '../options/with-store.ts';

/** `overheard ranges update|import|list|remove` */
export function rangesCommand(io: Io): Command {
  return new Command('ranges')
    .summary("keep the operators' lists of addresses")
    .description(
      'Ranges: the addresses and keys that operators publish for their bots, each kept with the time for which it held. None is shipped: they are outdated within weeks.',
    )
    .addCommand(updateCommand(io))
    .addCommand(importCommand(io))
    .addCommand(listCommand(io))
    .addCommand(removeCommand(io));
}

interface UpdateOptions {
  readonly database: string;
  readonly accept?: readonly string[];
  readonly dns: boolean;
  readonly json?: boolean;
}

function updateCommand(io: Io): Command {
  return new Command('update')
    .summary("fetch every operator's lists")
    .description(
      "Fetches the lists and key directories that the catalogue names, and the key directories of workspaces' own bots, from the operators themselves, and judges the hits that wait for them. Run it daily: a hit is judged by the lists around its own time.",
    )
    .argument('[id...]', 'only these, such as openai/gptbot')
    .option('--accept <id...>', 'take these lists although they lost or gained more than is likely')
    .option('--no-dns', 'ask for no host names of the hits that are judged')
    .option('--json', 'print JSON: {"files":[{id, outcome, size, problem}], "judged"}')
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExamples:\n  overheard ranges update\n  overheard ranges update openai/gptbot',
    )
    .action(async (ids: string[], { database, accept = [], dns, json = false }: UpdateOptions) => {
      const { updated, judged } = await withStore(
        database,
        async (store) => {
          const { clock, signal } = io;
          const known = await readKnownFiles(store.writer);
          const files = ids.length === 0 ? known : ids.map((id) => findFile(known, id));
          const result = await updateRanges(store, {
            files,
            fetch,
            clock,
            signal,
            accepted: accept,
          });
          const hostNames = systemHostNames(io, { dns });
          return {
            updated: result,
            judged: await judgeUndecided(store, { hostNames, clock, signal }),
          };
        },
        { mayCreate: true },
      );
      if (io.signal.aborted) {
        throw new CommandError('Stopped. Lists that were fetched are kept.');
      }
      if (json) printJson(io, { files: updated, judged });
      else {
        printTable(io, {
          headings: ['LIST', 'OUTCOME', 'SIZE', 'PROBLEM'],
          rows: updated.map(({ id, outcome, size, problem }) => [
            id,
            outcome,
            size === undefined ? null : String(size),
            problem ?? '',
          ]),
          none: 'Nothing was fetched.',
        });
      }
      if (judged > 0 && !json)
        printWords(io, `Hits with another verdict by these lists: ${judged}.`);
      const failed = updated.filter(({ outcome }) => outcome === 'failed').length;
      if (failed > 0) {
        throw new CommandError(
          `${failed} of ${updated.length} could not be fetched; what was known of them stays.`,
        );
      }
    });
}

interface ImportOptions {
  readonly database: string;
  readonly list?: string;
  readonly fetchedAt?: string;
  readonly accept?: boolean;
}

function importCommand(io: Io): Command {
  return new Command('import')
    .summary('take lists from files, where there is no network')
    .description(
      "Imports an operator's list from a file in the form in which the operator publishes it, or a folder of them laid out as OPERATOR/NAME.json. A list holds at the time that it gives itself, up to --fetched-at if that is given. Lists of proxies and content networks are proxy/NAME. These, and the lists of your own bots, may also be text: one network a line, or CSV as RFC 8805 has it. If one entry is not a network, or one list is unlikely to be its operator's, nothing is imported.",
    )
    .argument('<path>', 'a file, or a folder')
    .option('--list <id>', 'which list the file is, such as openai/gptbot')
    .option('--fetched-at <when>', 'when it was fetched: a day, a moment, or 7d, 12h ago')
    .option(
      '--accept',
      'take lists that grew beyond reason, or that have single addresses, private or very wide networks',
    )
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExamples:\n  overheard ranges import gptbot.json --list openai/gptbot\n  overheard ranges import ./lists --fetched-at 2026-11-20\n  overheard ranges import ips-v4.txt --list proxy/cdn --fetched-at 1h',
    )
    .action(async (path: string, options: ImportOptions) => {
      const { database, list, fetchedAt, accept: isAccepted = false } = options;
      const nowMs = io.clock();
      const fetchedMs = parseBound(fetchedAt, nowMs);
      const imported = await withStore(
        database,
        (store) => importRanges(store, { path, id: list, nowMs, fetchedMs, isAccepted }),
        { mayCreate: true },
      );
      for (const { id, size, isNew, firstAt, lastAt } of imported) {
        const held = firstAt === lastAt ? `at ${firstAt}` : `from ${firstAt} to ${lastAt}`;
        printWords(io, `${id}: ${entries(size)} that held ${held}${isNew ? '' : ' (known)'}.`);
      }
      printWords(io, 'Judge stored hits by it: overheard hits verify --workspace SLUG');
    });
}

interface ListOptions {
  readonly database: string;
  readonly json?: boolean;
}

function listCommand(io: Io): Command {
  return new Command('list')
    .summary('list what is here, with its age')
    .description('Lists the files of operators: those that are here, and those that could be.')
    .option(
      '--json',
      'print JSON: {"files":[{id, url, versions, size, first_at, last_at, problem}]}',
    )
    .addOption(option(settings.database))
    .addHelpText('after', '\nExample:\n  overheard ranges list')
    .action(async ({ database, json = false }: ListOptions) => {
      const files = await withStore(database, (store) => listRanges(store.reader));
      if (json) return printJson(io, { files });
      return printTable(io, {
        headings: ['LIST', 'SIZE', 'VERSIONS', 'FIRST', 'LAST', 'AGE', 'PROBLEM'],
        rows: files.map(({ id, size, versions, first_at, last_at, problem }) => [
          id,
          versions === 0 ? null : String(size),
          String(versions),
          first_at,
          last_at,
          last_at === null
            ? null
            : `${Math.max(0, Math.floor((io.clock() - Date.parse(last_at)) / dayMs))} d`,
          problem ?? '',
        ]),
        none: 'No list is known.',
      });
    });
}

interface RemoveOptions {
  readonly database: string;
  readonly firstAt?: string;
  readonly all?: boolean;
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .summary('remove a list that was imported by mistake')
    .description(
      'Removes a version of a list from every workspace. Hits that were judged by it keep their verdict until `overheard hits verify` judges them again by the lists that are left.',
    )
    .argument('<id>', 'which list, such as openai/gptbot')
    .option('--first-at <when>', 'only the version that held from then on')
    .option('--all', 'every version')
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExamples:\n  overheard ranges remove openai/gptbot\n  overheard ranges remove openai/gptbot --first-at 2026-11-20',
    )
    .action(async (id: string, { database, firstAt, all: isAll = false }: RemoveOptions) => {
      const firstMs = parseBound(firstAt, io.clock());
      const removed = await withStore(database, (store) =>
        removeRanges(store, { id, firstMs, isAll }),
      );
      for (const version of removed) {
        printWords(
          io,
          `Removed ${id} from ${version.firstAt} to ${version.lastAt}: ${entries(version.size)}.`,
        );
      }
      printWords(io, 'Judge stored hits again without it: overheard hits verify --workspace SLUG');
    });
}

function entries(size: number): string {
  return size === 1 ? '1 entry' : `${size} entries`;
}

function findFile(known: readonly OperatorFile[], id: string): OperatorFile {
  const found = known.find((file) => file.id === id);
  if (found !== undefined) return found;
  throw new CommandError(`No list ${id} is known. See them all: overheard ranges list`, {
    exitCode: 2,
  });
}
