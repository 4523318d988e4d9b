import { nearest } from '@overheard/contract';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { flagsOf, InvalidValue, settings, variableOf } from '../../config.ts';
import type { OptionSpec, Setting } from '../../config.ts';
import type { Store } from '../../storage/store.ts';
import { UsageError } from '../terminal/command-error.ts';
import type { Io } from '../terminal/io.ts';
import { createProgress } from '../terminal/progress.ts';
import type { Progress } from '../terminal/progress.ts';
import { flag } from './options.ts';
import { printOutput } from './output.ts';
import type { Output } from './output.ts';
import { inWorkspace, withStore } from './with-store.ts';

/** One argument of a command, listed under its name: `userAgent` is `<user-agent>`. */
export interface ArgumentSpec<Value> {
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
  readonly isMany?: boolean;
  readonly absent?: Value;
}

export function word(summary: string): ArgumentSpec<string> {
  return { summary };
}

/** One or more words. None are allowed if `isOptional`. */
export function words(
  summary: string,
  { isOptional = false }: { isOptional?: boolean } = {},
): ArgumentSpec<readonly string[]> {
  return { summary, isOptional, isMany: true };
}

type Specs<Spec> = Readonly<Record<string, Spec>>;

/** No arguments or options. */
type None = { readonly [Name in never]: never };

/** The values of arguments and options, by the names under which they are defined. */
export type OptionValues<Defined> = {
  readonly [Name in keyof Defined]: Defined[Name] extends
    | OptionSpec<infer Value>
    | ArgumentSpec<infer Value>
    ? Value
    : never;
};

interface Definition<Arguments, Options> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** The form of the output of `--json`. A command without it has no `--json`. */
  readonly json?: string;
  readonly hasCsv?: boolean;
  /** Text of the help before its examples. */
  readonly help?: string;
  /** Lines of examples. A line that begins with a space explains or continues the line above it. */
  readonly examples: readonly string[];
}

/** The tools that every command may use. */
export interface Context {
  readonly io: Io;
  /** Cleared when the command ends. */
  readonly progress: Progress;
  readonly isJson: boolean;
  /** Where the value of a setting comes from: `cli`, `env` or `default`. */
  readonly sourceOf: (name: keyof typeof settings) => string | undefined;
}

export interface StoreContext extends Context {
  readonly store: Store;
}

export interface WorkspaceContext extends StoreContext {
  readonly workspaceId: string;
  readonly slug: string;
}

type Result = Promise<Output | void> | Output | void;

/** Adds a command to the program of this process. */
export type CommandMaker = (io: Io) => Command;

/** Defines a command that needs no database, or opens it itself. */
export function defineCommand<
  Arguments extends Specs<ArgumentSpec<unknown>> = None,
  Options extends Specs<OptionSpec<unknown>> = None,
>(
  definition: Definition<Arguments, Options> & {
    readonly run: (
      context: Context,
      values: OptionValues<Arguments> & OptionValues<Options>,
    ) => Result;
  },
): CommandMaker {
  return maker(definition, {}, (context, command) => definition.run(context, command.opts()));
}

/** Defines a command that works on an open database: it has `--database`. */
export function defineStoreCommand<
  Arguments extends Specs<ArgumentSpec<unknown>> = None,
  Options extends Specs<OptionSpec<unknown>> = None,
>(
  definition: Definition<Arguments, Options> & {
    /** Whether it creates an embedded database that does not exist. */
    readonly mayCreate?: boolean;
    /** Throws a `Refusal` for invalid words before a database is created. */
    readonly check?: (values: OptionValues<Arguments> & OptionValues<Options>) => unknown;
    readonly run: (
      context: StoreContext,
      values: OptionValues<Arguments> & OptionValues<Options>,
    ) => Result;
  },
): CommandMaker {
  const { mayCreate = false } = definition;
  const { database } = settings;
  return maker(definition, { database }, (context, command) => {
    definition.check?.(command.opts());
    const onCreate = (path: string) => context.io.stderr.write(`Created the database ${path}.\n`);
    return withStore(
      command.opts<{ database: string }>().database,
      async (store) => definition.run({ ...context, store }, command.opts()),
      { mayCreate, onCreate, ...clockOf(context) },
    );
  });
}

/** Defines a command that works in one workspace: it has `--workspace` and `--database`. */
export function defineWorkspaceCommand<
  Arguments extends Specs<ArgumentSpec<unknown>> = None,
  Options extends Specs<OptionSpec<unknown>> = None,
>(
  definition: Definition<Arguments, Options> & {
    readonly run: (
      context: WorkspaceContext,
      values: OptionValues<Arguments> & OptionValues<Options>,
    ) => Result;
  },
): CommandMaker {
  const { database } = settings;
  const workspace = { ...settings.workspace, isRequired: true };
  return maker(definition, { workspace, database }, (context, command) => {
    const values = command.opts<{ database: string; workspace: string }>();
    return inWorkspace(
      values,
      async (store, workspaceId) =>
        definition.run({ ...context, store, workspaceId, slug: values.workspace }, command.opts()),
      clockOf(context),
    );
  });
}

function clockOf({ io: { databaseClock: clock } }: Context): { readonly clock?: () => number } {
  return clock === undefined ? {} : { clock };
}

/** Defines a command that has commands. */
export function defineGroup({
  name,
  summary,
  description,
  commands,
  usual,
}: {
  name: string;
  summary: string;
  description: string;
  commands: readonly CommandMaker[];
  /** The command that runs if none is named. */
  usual?: CommandMaker;
}): CommandMaker {
  return (io) => {
    const group = new Command(name)
      .summary(summary)
      .description(description)
      .addHelpText('after', `\nHelp with examples: overheard ${name} COMMAND --help`);
    if (usual !== undefined) group.addCommand(usual(io), { isDefault: true });
    for (const make of commands) group.addCommand(make(io));
    return group;
  };
}

function maker(
  definition: Definition<Specs<ArgumentSpec<unknown>>, Specs<OptionSpec<unknown>>>,
  ofKind: Specs<OptionSpec<unknown>>,
  act: (context: Context, command: Command) => Result,
): CommandMaker {
  const { name, summary, description, json, hasCsv = false, help, examples } = definition;
  const takes = Object.entries(definition.arguments ?? {});
  const options = Object.entries({
    ...definition.options,
    ...(json !== undefined && { json: flag(`print JSON: ${json}`) }),
    ...(hasCsv && { csv: flag('print CSV with every field') }),
    ...ofKind,
  });
  return (io) => {
    const command = new Command(name).summary(summary).description(description);
    for (const [key, spec] of takes) command.addArgument(toArgument(key, spec));
    for (const [key, spec] of options) {
      if (!isVariableOnly(spec)) command.addOption(toOption(key, spec));
    }
    if (help !== undefined) command.addHelpText('after', `\n${help.trim()}`);
    return command.addHelpText('after', exampleWords(examples)).action(async () => {
      for (const [place, [key]] of takes.entries()) {
        command.setOptionValue(key, command.processedArgs[place]);
      }
      for (const [key, spec] of options) {
        const text = io.environment?.[variableOf(key)];
        if (!isVariableOnly(spec)) setAbsent(command, key, spec);
        else
          command.setOptionValue(
            key,
            text === undefined ? text : (spec.parse ?? String)(text, undefined),
          );
      }
      const { json: isJson = false, csv: isCsv = false } = command.opts<{
        json?: boolean;
        csv?: boolean;
      }>();
      if (isJson && isCsv) throw new UsageError('Choose one of --json and --csv.');
      const progress = createProgress(io);
      const sourceOf = (setting: string) => command.getOptionValueSource(setting);
      try {
        const output = await act({ io, progress, isJson, sourceOf }, command);
        progress.clear();
        if (output !== undefined) printOutput(io, output, { isJson, isCsv });
      } finally {
        progress.clear();
      }
    });
  };
}

function toArgument(name: string, { summary, ...spec }: ArgumentSpec<unknown>): Argument {
  const { isMany = false, isOptional = false, choices } = spec;
  const placeholder = `${flagsOf(name, {}).slice(2)}${isMany ? '...' : ''}`;
  const argument = new Argument(isOptional ? `[${placeholder}]` : `<${placeholder}>`, summary);
  return choices === undefined ? argument : argument.choices(choices).argParser(oneOf(choices));
}

function toOption(name: string, spec: OptionSpec<unknown> | Setting<unknown>): Option {
  const option = new Option(flagsOf(name, spec), spec.summary);
  option.makeOptionMandatory(spec.isRequired === true);
  if ('isSetting' in spec) option.env(variableOf(name));
  if (spec.default !== undefined) option.default(spec.default);
  if (spec.choices !== undefined) option.choices(spec.choices).argParser(oneOf(spec.choices));
  if (spec.parse !== undefined) option.argParser(reportInvalid(spec.parse));
  return option;
}

function isVariableOnly(spec: OptionSpec<unknown> | Setting<unknown>): boolean {
  return 'isSetting' in spec && spec.isVariableOnly === true;
}

/** Turns an `InvalidValue` into the error that commander reports with the name of the option. */
function reportInvalid<Value>(parse: (text: string, previous: unknown) => Value): typeof parse {
  return (typed, previous) => {
    try {
      return parse(typed, previous);
    } catch (error) {
      throw error instanceof InvalidValue ? new InvalidArgumentError(error.message) : error;
    }
  };
}

/** Checks a choice. Commander's own check does not name the nearest one. */
function oneOf(choices: readonly string[]): (typed: string) => string {
  return (typed) => {
    if (choices.includes(typed)) return typed;
    const meant = nearest(typed, choices);
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${hint}`);
  };
}

/** Sets what commander leaves undefined, and `noDns` from its `dns`. */
function setAbsent(command: Command, name: string, { absent }: OptionSpec<unknown>): void {
  const [, positive] = /^no([A-Z].*)$/.exec(name) ?? [];
  if (positive !== undefined) {
    const key = positive.charAt(0).toLowerCase() + positive.slice(1);
    command.setOptionValue(name, command.getOptionValue(key) === false);
  } else if (absent !== undefined && command.getOptionValue(name) === undefined) {
    command.setOptionValue(name, absent);
  }
}

function exampleWords(lines: readonly string[]): string {
  const count = lines.filter((line) => !line.startsWith(' ')).length;
  const heading = count === 1 ? 'Example:' : 'Examples:';
  return `\n${heading}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
