import { nearest } from '@overheard/contract';
import { Command, CommanderError } from 'commander';
import { asCalled } from './terminal/called-as.ts';
import type { commandNames } from './terminal/called-as.ts';
import type { Io } from './terminal/io.ts';
import { printWords } from './terminal/print.ts';
import { refusalExitCode, refusalWords } from './words/refusals/refusal-words.ts';
import { CommandError } from '../problems.ts';
import { isRefusal } from '../refusals.ts';
import { printable } from '../values/printable.ts';
import { version } from '../version.ts';

type CommandName = (typeof commandNames)[number];

/**
 * The commands, in the order in which the help lists them. Only the one that is called is loaded: a
 * server has no use for the others' libraries, and every command starts sooner.
 */
const commands: Readonly<Record<CommandName, () => Promise<(io: Io) => Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  workspace: async () => (await import('./commands/workspace.ts')).workspaceCommand,
  subject: async () => (await import('./commands/subject.ts')).subjectCommand,
  key: async () => (await import('./commands/key.ts')).keyCommand,
  answers: async () => (await import('./commands/answers.ts')).answersCommand,
  scores: async () => (await import('./commands/scores.ts')).scoresCommand,
  actions: async () => (await import('./commands/actions.ts')).actionsCommand,
  hits: async () => (await import('./commands/hits.ts')).hitsCommand,
  bots: async () => (await import('./commands/bots.ts')).botsCommand,
  ranges: async () => (await import('./commands/ranges.ts')).rangesCommand,
  prune: async () => (await import('./commands/prune.ts')).pruneCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  database: async () => (await import('./commands/database.ts')).databaseCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
};

/**
 * Runs one command line, without the program's name. Returns the exit code: 0, 1 for a failure, 2
 * for wrong usage, 130 if it was interrupted before it was done (143 by SIGTERM). Words for a person
 * go to `io.stderr`, data to `io.stdout`.
 */
export async function runCli(args: readonly string[], io: Io): Promise<number> {
  try {
    const topic = helpTopic(args);
    if (topic !== undefined) return await printHelp(topic, io);
    if (args[0] === 'import' && args[1] === 'answers') throw answersMoved();
    const program = await createProgram(io, args[0], args);
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return report(error, io);
  }
}

/** The words behind `help`, at either place: `help workspace create`, `workspace help create`. */
function helpTopic(args: readonly string[]): readonly string[] | undefined {
  const at = args.slice(0, 2).indexOf('help');
  if (at === -1 || (at === 1 && !groups.has(args[0] ?? ''))) return undefined;
  return args.toSpliced(at, 1).filter((word) => !word.startsWith('-'));
}

/** Commands that have commands. */
const groups: ReadonlySet<string> = new Set([
  'workspace',
  'subject',
  'key',
  'answers',
  'scores',
  'actions',
  'hits',
  'bots',
  'ranges',
  'database',
]);

async function printHelp(topic: readonly string[], io: Io): Promise<number> {
  let command = await createProgram(io, topic[0]);
  for (const word of topic) {
    const { commands: known } = command;
    // What follows a command without commands is an argument, such as `help import prompts`.
    if (known.length === 0) break;
    const next = known.find((each) => each.name() === word);
    if (next === undefined) {
      const meant = nearest(
        word,
        known.map((each) => each.name()),
      );
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      throw new CommandError(`There is no command ${JSON.stringify(word)}.${hint}`, {
        exitCode: 2,
      });
    }
    command = next;
  }
  command.outputHelp();
  return 0;
}

function answersMoved(): CommandError {
  return new CommandError(
    'Answers of engines have their own command: overheard answers import FILE --workspace SLUG',
    { exitCode: 2 },
  );
}

/** The command line with the command of that `name` alone, or whole where it has none of that name. */
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
  const everyName = Object.entries(commands);
  const called = everyName.filter(([each]) => each === name);
  const loaded = (called.length > 0 ? called : everyName).map(async ([, load]) => load());
  for (const create of await Promise.all(loaded)) program.addCommand(create(io));
  for (const command of everyCommand(program)) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => io.stdout.write(asCalled(text, io.program)),
        writeErr: (text) => io.stderr.write(asCalled(text, io.program)),
        outputError: (text, write) => write(misspeltOption(text, args, command) ?? text),
      })
      .showSuggestionAfterError()
      .allowExcessArguments(false);
  }
  return program;
}

/**
 * The sentence about a misspelt option, in the place of the one that a required option is missing:
 * commander looks for required options first, and would never name `--worksapce`.
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
