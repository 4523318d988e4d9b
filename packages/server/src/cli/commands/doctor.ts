import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import { diagnose } from '../../storage/open/diagnose.ts';
import type { Finding } from '../../storage/finding.ts';
import { isPostgresUrl, sqlitePath } from '../../storage/open/database-url.ts';
import { databaseFiles } from '../../storage/sqlite/files/files.ts';
import { createKeysFile } from '../../storage/sqlite/new-keys-file.ts';
import { plural } from '../../values/plural.ts';
import type { Io } from '../terminal/io.ts';
import { asCalled } from '../terminal/called-as.ts';
import { checkLists } from '../operator-lists/check-lists.ts';
import { printJson, printWords } from '../terminal/print.ts';
import { refusalParts, refusalWords } from '../words/refusals/refusal-words.ts';

/** `overheard doctor` */
export function doctorCommand(io: Io): Command {
  return new Command('doctor')
    .summary('check the database and say what to do')
    .description(
      'Checks that the database can be reached, its permissions, schema, integrity, clock and room, and says what to do about what it finds. The whole of an embedded database is read, which takes seconds per gigabyte and is said at the end. Changes nothing. Ends with 1 where there is a problem.',
    )
    .option('--new-keys-file', 'where the file of the keys is lost: make an empty one first')
    .option('--json', 'print JSON: {"findings":[{check, state, message, advice}]}')
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action(async ({ database, newKeysFile = false, json = false }: Options) => {
      if (newKeysFile) await makeKeysFile(io, database);
      const found = await diagnose(database, io);
      // Opening a database that is older or ailing could change it, or fail.
      const isSound = found.every(({ state, check }) => state === 'ok' || check === 'disk');
      const lists = isSound ? await checkLists(database, io) : [];
      const findings = [...found, ...lists].map(inWords).map((finding) => ({
        ...finding,
        advice: finding.advice && asCalled(finding.advice, io.program),
      }));
      if (json) printJson(io, { findings });
      else for (const finding of findings) io.stdout.write(lineOf(finding));
      const problems = findings.filter(({ state }) => state === 'problem').length;
      if (problems > 0) {
        throw new CommandError(`${plural(problems, 'problem')} found.`);
      }
      printWords(io, 'No problem found.');
    });
}

interface Options {
  readonly database: string;
  readonly newKeysFile?: boolean;
  readonly json?: boolean;
}

async function makeKeysFile(io: Io, database: string): Promise<void> {
  if (await isPostgresUrl(database)) {
    throw new CommandError('PostgreSQL keeps the keys with the data: it has no file of keys.', {
      exitCode: 2,
    });
  }
  const files = databaseFiles(sqlitePath(database));
  await createKeysFile(files);
  printWords(
    io,
    `Made ${files.access} without any key: every old one is void. Make new ones with \`overheard key create\`.`,
  );
}

function inWords({ refusal, ...finding }: Finding): Omit<Finding, 'refusal'> {
  if (refusal === undefined) return finding;
  if (finding.message !== '') return { ...finding, advice: refusalWords(refusal) };
  const [message, advice = null] = refusalParts(refusal);
  return { ...finding, message, advice };
}

function lineOf({ check, state, message, advice }: Finding): string {
  const line = `${state.padEnd(8)} ${check.padEnd(11)} ${message}\n`;
  return advice === null ? line : `${line}${' '.repeat(21)}-> ${advice}\n`;
}

const examples = `
Examples:
  overheard doctor
  overheard doctor --database postgres://overheard@db.example/overheard
  overheard doctor --json | jq '.findings[] | select(.state != "ok")'
  overheard doctor --new-keys-file
      The file of the keys is lost and there is no backup: go on without any key.`;
