import { Command } from 'commander';
import { adviseSubject } from '../../answers/spellings/advise-subject.ts';
import { option, settings } from '../../config.ts';
import { newId } from '../../values/uuid.ts';
import { planAddition, planRemoval } from '../../workspaces/plan-subject.ts';
import { listSubjects } from '../../workspaces/subject.ts';
import type { Subject } from '../../workspaces/subject.ts';
import { addSubject, removeSubject } from '../../workspaces/subjects.ts';
import { printAdvice } from '../words/spelling-advice.ts';
import { aliasWords, describe, inWorkspace } from '../options/in-workspace.ts';
import type { WorkspaceOptions } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { addPreviewOptions, isPreview, plannedSubject, printPreview } from './subject-preview.ts';
import type { PreviewOptions } from './subject-preview.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { redetectHint } from '../words/redetect-hint.ts';
import { subjectSetCommand } from './subject-set.ts';
import { addWordOptions, aliasesOf } from '../options/subject-options.ts';
import type { WordOptions } from '../options/subject-options.ts';

/** `overheard subject add|list|set|remove` */
export function subjectCommand(io: Io): Command {
  return new Command('subject')
    .summary("track competitors; change what a workspace's names are found by")
    .description(
      "Subjects: a workspace's brand and its competitors, each with a name, aliases, domains and owned paths. Each of them belongs to one subject of a workspace.",
    )
    .addCommand(addCommand(io))
    .addCommand(listCommand(io))
    .addCommand(subjectSetCommand(io))
    .addCommand(removeCommand(io))
    .addHelpText('after', '\nHelp with examples: overheard subject COMMAND --help');
}

function addCommand(io: Io): Command {
  const command = new Command('add')
    .summary('track a competitor')
    .description(
      'Adds a competitor and prints its id. Warns of names that are common words, and suggests other spellings that people write, with case endings in the languages of the prompts; it adds none of them.',
    )
    .argument('<name>', 'its name');
  return addPreviewOptions(addWordOptions(command))
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', addExamples)
    .action(async (name: string, options: WorkspaceOptions & WordOptions & PreviewOptions) => {
      const { domain: domains = [], path: paths = [] } = options;
      const words = { name, aliases: aliasesOf(options), domains, paths };
      if (isPreview(options)) {
        return printPreview(io, options, async ({ reader }, workspaceId) => {
          const id = newId(io.clock);
          const planned = await planAddition(reader, workspaceId, { id, words });
          return plannedSubject({ id, type: 'competitor' }, planned);
        });
      }
      const { subject, hint, advice } = await inWorkspace(options, async (store, workspaceId) => {
        const added = await addSubject(store, workspaceId, { words, clock: io.clock });
        return {
          subject: added,
          hint: await redetectHint(store, workspaceId, options.workspace),
          advice: await adviseSubject(store.reader, workspaceId, added),
        };
      });
      io.stdout.write(`${subject.id}\n`);
      printWords(io, `Tracks the competitor ${describe(subject)}.${hint}`);
      printAdvice(io, advice, { name: subject.name, slug: options.workspace });
      return undefined;
    });
}

function listCommand(io: Io): Command {
  return new Command('list')
    .summary('list the brand and its competitors')
    .description('Lists the subjects of a workspace: the brand, then competitors by name.')
    .option('--all', 'removed competitors too')
    .option(
      '--json',
      'print JSON: {"subjects":[{id, subject_type, name, aliases, domains, paths, created_at, archived_at}]}',
    )
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', listExamples)
    .action(async (options: WorkspaceOptions & { all?: boolean; json?: boolean }) => {
      const { all: withArchived = false, json = false } = options;
      const subjects = await inWorkspace(options, (store, workspaceId) =>
        listSubjects(store.reader, workspaceId, { withArchived }),
      );
      if (json) return printJson(io, { subjects: subjects.map(jsonOf) });
      return printTable(io, {
        headings: ['ID', 'TYPE', 'NAME', 'ALIASES', 'DOMAINS', 'PATHS', 'REMOVED'].slice(
          0,
          withArchived ? 7 : 6,
        ),
        rows: subjects.map((subject) => [
          subject.id,
          subject.subject_type,
          subject.name,
          aliasWords(subject) || null,
          subject.domains.join(', ') || null,
          subject.paths.join(', ') || null,
          ...(withArchived ? [subject.archived_at] : []),
        ]),
        none: 'The workspace has no subjects.',
      });
    });
}

function removeCommand(io: Io): Command {
  const command = new Command('remove')
    .summary('stop tracking a competitor')
    .description(
      'Stops tracking a competitor. Its id and its history stay; its aliases, domains and paths are free for others.',
    )
    .argument('<id-or-name>', 'the competitor: its name, an alias, its id or the beginning of it');
  return addPreviewOptions(command)
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', removeExamples)
    .action(async (idOrName: string, options: WorkspaceOptions & PreviewOptions) => {
      if (isPreview(options)) {
        return printPreview(io, options, async ({ reader }, workspaceId) => {
          const { id } = await planRemoval(reader, workspaceId, idOrName);
          return { id, subject: undefined };
        });
      }
      const { subject, hint } = await inWorkspace(options, async (store, workspaceId) => ({
        subject: await removeSubject(store, workspaceId, idOrName, { clock: io.clock }),
        hint: await redetectHint(store, workspaceId, options.workspace),
      }));
      printWords(io, `No longer tracks ${subject.name} (${subject.id}). Its history stays.${hint}`);
      return undefined;
    });
}

function jsonOf(subject: Subject) {
  const { id, subject_type, name, aliases, domains, paths, created_at, archived_at } = subject;
  return { id, subject_type, name, aliases, domains, paths, created_at, archived_at };
}

const addExamples = `
Examples:
  overheard subject add Globex --workspace acme --domain globex.example
  overheard subject add Globex --workspace acme --alias 'Globex Corporation' --alias-exact GBX
  overheard subject add Hooli --workspace acme --path github.com/hooli --path youtube.com/@hooli
  overheard subject add 'Initech' --workspace acme --alias-pattern 'Ini-?tech'
  overheard subject add Umbrella --workspace acme --dry-run --answers all`;

const listExamples = `
Examples:
  overheard subject list --workspace acme
  overheard subject list --workspace acme --json | jq '.subjects[] | {id, name}'`;

const removeExamples = `
Examples:
  overheard subject remove Globex --workspace acme --dry-run
  overheard subject remove Globex --workspace acme
  overheard subject remove 0193a1c2-7d1e-7c3b-8f2a-5b6c7d8e9f00 --workspace acme`;
