import type { Command } from 'commander';
import type { Alias } from '../../values/alias.ts';

/** Aliases of the three kinds as commander collects them. */
export interface AliasOptions {
  readonly alias?: readonly string[];
  readonly aliasExact?: readonly string[];
  readonly aliasPattern?: readonly string[];
}

export interface WordOptions extends AliasOptions {
  readonly domain?: readonly string[];
  readonly path?: readonly string[];
}

/** Adds the options for aliases, domains and owned paths; each may be given any number of times. */
export function addWordOptions(command: Command): Command {
  return command
    .option('--alias <text>', 'another name, found in any case (repeatable)', collect)
    .option(
      '--alias-exact <text>',
      'another name, found only as it is written (repeatable)',
      collect,
    )
    .option(
      '--alias-pattern <regexp>',
      'a regular expression, in the syntax of RE2 (repeatable)',
      collect,
    )
    .option('--domain <name>', 'a domain, or an address on it (repeatable)', collect)
    .option(
      '--path <address>',
      'its part of a site of others, such as github.com/acme (repeatable)',
      collect,
    );
}

/** Gathers an option that may be repeated. */
export function collect(text: string, previous: readonly string[] = []): string[] {
  return [...previous, text];
}

/** The aliases of three lists with their kinds. */
export function aliasesOf({
  alias = [],
  aliasExact = [],
  aliasPattern = [],
}: AliasOptions): Alias[] {
  return [
    ...alias.map((text): Alias => ({ alias: text, match: 'default' })),
    ...aliasExact.map((text): Alias => ({ alias: text, match: 'exact' })),
    ...aliasPattern.map((text): Alias => ({ alias: text, match: 'pattern' })),
  ];
}
