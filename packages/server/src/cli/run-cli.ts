import { nearest } from '@overheard/contract';
import { Command, CommanderError } from 'commander';
import { commandTable } from './command-table.ts';
import { createAsTyped } from './terminal/as-typed.ts';
import type { Io } from './terminal/io.ts';
import { printWords } from './terminal/print.ts';
import { isRefusal, refusalExitCode, refusalWords } from '../refusals.ts';
import { printable, printableLines } from '../values/printable.ts';
import { version } from '../version.ts';
import { CommandError, UsageError } from './terminal/command-error.ts';

/** The effects that a process passes to the command line. */
export interface ProcessIo extends Omit<Io, 'asTyped'> {
  /** The command that started the program, such as `npx overheard`. */
  readonly program: string;
}

/**
 * Runs one command line, without the program's name. Returns the exit code: 0, 1 for a failure, 2
 * for wrong usage, 130 if it was interrupted before the end (143 by SIGTERM). Words for a person go
 * to `io.stderr`, data to `io.stdout`.
 */
export async function runCli(
  args: readonly string[],
  { program: called, ...rest }: ProcessIo,
): Promise<number> {
  const io = { ...rest, asTyped: createAsTyped(called, Object.keys(commandTable)) };
  try {
    if (await printHelp(args, io)) return 0;
    if (args[0] === 'import' && args[1] === 'answers') {
      throw new UsageError(
        'Answers of engines have their own command: overheard answers import FILE --workspace SLUG',
      );
    }
    const program = await createProgram(io, args[0], args);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, withNamedPlace(io, args));
  }
}

/** Adds the database and the workspace of the command line to hints. */
function withNamedPlace(io: Io, args: readonly string[]): Io {
  const named = { database: valueOf('--database', args), workspace: valueOf('--workspace', args) };
  return { ...io, asTyped: (words) => io.asTyped(words, named) };
}

/** The last value of an option in a command line. */
function valueOf(option: string, args: readonly string[]): string | undefined {
  const at = args.findLastIndex((each) => each === option || each.startsWith(`${option}=`));
  if (at === -1) return undefined;
  return args[at] === option ? args[at + 1] : args[at]?.slice(option.length + 1);
}

/**
 * Prints the help for `help workspace create` or `workspace help create`. Returns whether it
 * printed any.
 */
async function printHelp(args: readonly string[], io: Io): Promise<boolean> {
  const at = args.slice(0, 2).indexOf('help');
  if (at === -1) return false;
  const topic = args.toSpliced(at, 1).filter((each) => !each.startsWith('-'));
  let command = await createProgram(io, topic[0]);
  // After a command without subcommands, `help` is an argument.
  if (at === 1 && !command.commands.some(({ commands }) => commands.length > 0)) return false;
  for (const name of topic) {
    const { commands } = command;
    // A word after a command without subcommands is an argument, as in `help import prompts`.
    if (commands.length === 0) break;
    const next = commands.find((each) => each.name() === name);
    if (next === undefined) throw unknownCommand(name, commands);
    command = next;
  }
  command.outputHelp();
  return true;
}

function unknownCommand(name: string, commands: readonly Command[]): UsageError {
  const meant = nearest(
    name,
    commands.map((each) => each.name()),
  );
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return new UsageError(`There is no command ${JSON.stringify(name)}.${hint}`);
}

/**
 * Makes the command line with only the command `name`, or with all commands if there is none of
 * that name.
 */
export async function createProgram(
  io: Io,
  name: string = '',
  args: readonly string[] = [],
): Promise<Command> {
  const program = new Command('overheard')
    .description('What AI answer engines say about you, and which AI crawlers read your site.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpText('after', '\nHelp with examples for each command: overheard COMMAND --help');
  const everyName = Object.entries(commandTable);
  const called = everyName.filter(([each]) => each === name);
  const loaded = (called.length > 0 || name === '--version' ? called : everyName).map(
    async ([, load]) => load(),
  );
  for (const create of await Promise.all(loaded)) {
    program.addCommand(create(withNamedPlace(io, args)));
  }
  for (const command of everyCommand(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => io.stdout.write(io.asTyped(text)),
        writeErr: (text) => io.stderr.write(io.asTyped(text)),
        outputError: (text, write) =>
          write(misspeltOption(text, args, command) ?? printableError(text)),
      })
      .showSuggestionAfterError()
      .allowExcessArguments(false);
  }
  return program;
}

/**
 * The sentence about a misspelt option, which replaces the one about a missing required option.
 * Commander checks required options first, and would never name `--worksapce`.
 */
function misspeltOption(
  text: string,
  args: readonly string[],
  { options }: Command,
): string | undefined {
  const [, required] = /^error: required option '(--[\w-]+)/.exec(text) ?? [];
  if (required === undefined) return undefined;
  const typed = args
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/=.*/s, ''))
    .filter((word) => !options.some(({ long }) => long === word))
    .find((word) => nearest(word.slice(0, 60), [required]) !== undefined);
  return typed && `error: unknown option '${printable(typed)}'\n(Did you mean ${required}?)\n`;
}

/** Commander's sentence, which quotes the typed text, with its suggestion on a separate line. */
function printableError(text: string): string {
  return `${printableLines(text.trimEnd().split(/\n(?=\(Did you mean [^\n]*\?\)$)/))}\n`;
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

function report(error: unknown, io: Io): number {
  // Commander has printed its own sentence, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const isInterrupted = io.signal.aborted;
  const interrupted = io.signal.reason === 'SIGTERM' ? 143 : 130;
  if (isRefusal(error)) {
    printWords(io, refusalWords(error));
    return isInterrupted ? interrupted : refusalExitCode(error);
  }
  if (error instanceof CommandError) {
    printWords(io, error.message);
    return isInterrupted ? interrupted : error.exitCode;
  }
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.stderr.write(`An unexpected failure, which is a bug of Overheard:\n${words}\n`);
  return 1;
}
