import { Command, CommanderError } from 'commander';
import { botsCommand } from './commands/bots.ts';
import { hitsCommand } from './commands/hits.ts';
import type { Io } from './commands/io.ts';
import { actionsCommand } from './commands/actions.ts';
import { answersCommand } from './commands/answers.ts';
import { backupCommand } from './commands/backup.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { databaseCommand } from './commands/database.ts';
import { demoCommand } from './commands/demo.ts';
import { doctorCommand } from './commands/doctor.ts';
import { keyCommand } from './commands/key.ts';
import { pruneCommand } from './commands/prune.ts';
import { rangesCommand } from './commands/ranges.ts';
import { scoresCommand } from './commands/scores.ts';
import { serveCommand } from './commands/serve.ts';
import { subjectCommand } from './commands/subject.ts';
import { workspaceCommand } from './commands/workspace.ts';
import { CommandError, UnavailableError } from './problems.ts';
import { version } from './version.ts';

/** The commands, in the order in which the help lists them. */
const commands: ReadonlyArray<(io: Io) => Command> = [
  serveCommand,
  workspaceCommand,
  subjectCommand,
  keyCommand,
  answersCommand,
  scoresCommand,
  actionsCommand,
  hitsCommand,
  botsCommand,
  rangesCommand,
  pruneCommand,
  importCommand,
  exportCommand,
  backupCommand,
  doctorCommand,
  databaseCommand,
  demoCommand,
];

/**
 * Runs one command line, without the program's name. Returns the exit code: 0, 1 for a failure, 2
 * for wrong usage. Words for a person go to `io.stderr`, data to `io.stdout`.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  const program = createProgram(io);
  try {
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, io);
  }
}

/** The whole command line; `docs/` and the tests read its help from here. */
export function createProgram(io: Io): Command {
  const program = new Command('overheard')
    .description('What AI answer engines say about you, and which AI crawlers read your site.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', '\nHelp with examples for each command: overheard COMMAND --help');
  for (const create of commands) program.addCommand(create(io));
  for (const command of everyCommand(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => io.stdout.write(text),
        writeErr: (text) => io.stderr.write(text),
      })
      .showSuggestionAfterError()
      .allowExcessArguments(false);
  }
  return program;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function report(error: unknown, io: Io): number {
  // Commander has printed its own sentence, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    io.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof UnavailableError) {
    io.stderr.write(`${error.message}\n`);
    return 1;
  }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`An unexpected failure, which is a bug of Overheard:\n${words}\n`);
  return 1;
}
