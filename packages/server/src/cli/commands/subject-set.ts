import { Command } from 'commander';
import { adviseSubject } from '../../answers/spellings/advise-subject.ts';
import { option, settings } from '../../config.ts';
import { CommandError } from '../../problems.ts';
import type { SubjectChange } from '../../workspaces/subject-change.ts';
import { planChange } from '../../workspaces/plan-subject.ts';
import { setSubject } from '../../workspaces/subjects.ts';
import { describe, inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { addPreviewOptions, isPreview, plannedSubject, printPreview } from './subject-preview.ts';
import type { PreviewOptions } from './subject-preview.ts';
import { printAdvice } from '../words/spelling-advice.ts';
import { printWords } from '../terminal/print.ts';
import { redetectHint } from '../words/redetect-hint.ts';
import { addWordOptions, aliasesOf, collect } from '../options/subject-options.ts';
import type { WordOptions } from '../options/subject-options.ts';

interface SetOptions extends WorkspaceOptions, WordOptions, PreviewOptions {
  readonly name?: string;
  readonly clearAliases?: boolean;
  readonly clearDomains?: boolean;
  readonly addAlias?: readonly string[];
  readonly addAliasExact?: readonly string[];
  readonly addAliasPattern?: readonly string[];
  readonly removeAlias?: readonly string[];
  readonly addDomain?: readonly string[];
  readonly removeDomain?: readonly string[];
  readonly addPath?: readonly string[];
  readonly removePath?: readonly string[];
  readonly clearPaths?: boolean;
}

/** `overheard subject set` */
export function subjectSetCommand(io: Io): Command {
  const command = new Command('set')
    .summary('change the name, aliases, domains or paths of a subject')
    .description(
      'Changes a competitor or the brand; its id and history stay. --alias, --alias-exact and --alias-pattern together replace the whole list of aliases, --domain that of domains, --path that of owned paths; the --add and --remove options change one entry.',
    )
    .argument('<id-or-name>', 'the subject: its name, an alias, its id or the beginning of it')
    .option('--name <text>', 'its new name');
  return addPreviewOptions(
    addWordOptions(command)
      .option('--add-alias <text>', 'add an alias that is found in any case', collect)
      .option('--add-alias-exact <text>', 'add one that is found only as it is written', collect)
      .option('--add-alias-pattern <regexp>', 'add a regular expression', collect)
      .option('--remove-alias <text>', 'remove an alias of any kind', collect)
      .option('--clear-aliases', 'remove every alias')
      .option('--add-domain <name>', 'add a domain', collect)
      .option('--remove-domain <name>', 'remove a domain', collect)
      .option('--clear-domains', 'remove every domain')
      .option('--add-path <address>', 'add an owned path', collect)
      .option('--remove-path <address>', 'remove an owned path', collect)
      .option('--clear-paths', 'remove every owned path'),
  )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', examples)
    .action(async (idOrName: string, options: SetOptions) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0) {
        throw new CommandError(
          'Say what to change: --name, --alias, --domain, --path or another option.',
          {
            exitCode: 2,
          },
        );
      }
      if (isPreview(options)) {
        return printPreview(io, options, async ({ reader }, workspaceId) => {
          const planned = await planChange(reader, workspaceId, idOrName, change);
          const { before, words, hasChanged } = planned;
          if (!hasChanged) printWords(io, `Nothing would change: ${describe(before)}.`);
          return plannedSubject({ id: before.id, type: before.subject_type }, words);
        });
      }
      const result = await inWorkspace(options, async (store, workspaceId) => {
        const changed = await setSubject(store, workspaceId, idOrName, change);
        const { before, subject } = changed;
        const earlier = {
          aliases: [{ alias: before.name }, ...before.aliases],
          domains: before.domains,
        };
        return {
          ...changed,
          hint: await redetectHint(store, workspaceId, options.workspace),
          advice: await adviseSubject(store.reader, workspaceId, {
            id: subject.id,
            before: earlier,
          }),
        };
      });
      const { hasChanged, before, subject, hint, advice } = result;
      if (!hasChanged) return printWords(io, `Nothing changed: ${describe(subject)}.`);
      printWords(io, `Now tracks ${describe(subject)}.${hint}`);
      printAdvice(io, advice, { name: subject.name, slug: options.workspace });
      if (before.name === subject.name) return undefined;
      return printWords(
        io,
        `Answers that say "${before.name}" no longer count; to go on finding them: --add-alias '${before.name}'`,
      );
    });
}

function changeOf(options: SetOptions): SubjectChange {
  const { name, domain, addDomain, removeDomain, removeAlias, path, addPath, removePath } = options;
  const aliases = aliasesOf(options);
  const addAliases = aliasesOf({
    alias: options.addAlias ?? [],
    aliasExact: options.addAliasExact ?? [],
    aliasPattern: options.addAliasPattern ?? [],
  });
  return {
    ...(name !== undefined && { name }),
    ...(options.clearAliases === true && { aliases: [] }),
    ...(aliases.length > 0 && { aliases }),
    ...(addAliases.length > 0 && { addAliases }),
    ...(removeAlias !== undefined && { removeAliases: removeAlias }),
    ...(options.clearDomains === true && { domains: [] }),
    ...(domain !== undefined && { domains: domain }),
    ...(addDomain !== undefined && { addDomains: addDomain }),
    ...(removeDomain !== undefined && { removeDomains: removeDomain }),
    ...(options.clearPaths === true && { paths: [] }),
    ...(path !== undefined && { paths: path }),
    ...(addPath !== undefined && { addPaths: addPath }),
    ...(removePath !== undefined && { removePaths: removePath }),
  };
}

const examples = `
Examples:
  overheard subject set Globex --workspace acme --name 'Globex Group' --add-alias Globex
  overheard subject set Acme --workspace acme --alias 'Acme Ltd' --alias 'Acme Inc'
      The brand. It has these two aliases now and no other.
  overheard subject set Globex --workspace acme --remove-alias GBX --add-domain globex.example
  overheard subject set Acme --workspace acme --add-alias Apex --dry-run --sentences 30
      Shows what the alias would find, and changes nothing.`;
