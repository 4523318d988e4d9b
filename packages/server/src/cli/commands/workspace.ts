import { Command } from 'commander';
import { adviseSubject } from '../../answers/spellings/advise-subject.ts';
import { option, settings } from '../../config.ts';
import { countWorkspace, removeWorkspace } from '../../workspaces/removal.ts';
import type { WorkspaceCounts } from '../../workspaces/removal.ts';
import { listSubjects } from '../../workspaces/subject.ts';
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  setWorkspace,
} from '../../workspaces/workspaces.ts';
import { CommandError } from '../../problems.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printWords } from '../terminal/print.ts';
import { printAdvice } from '../words/spelling-advice.ts';
import { addWordOptions, aliasesOf } from '../options/subject-options.ts';
import type { WordOptions } from '../options/subject-options.ts';
import { confirm } from '../terminal/confirm.ts';
import { withStore } from '../options/with-store.ts';
import { exportSecretCommand, importSecretCommand } from './workspace-secret.ts';

/** `overheard workspace create|list|set|remove|export-secret|import-secret` */
export function workspaceCommand(io: Io): Command {
  return new Command('workspace')
    .summary('create, list, change, move and remove workspaces')
    .description('Workspaces: each has a brand, its competitors, its data and its keys.')
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(setCommand(io))
    .addCommand(removeCommand(io))
    .addCommand(exportSecretCommand(io))
    .addCommand(importSecretCommand(io))
    .addHelpText('after', '\nHelp with examples: overheard workspace COMMAND --help');
}

function createCommand(io: Io): Command {
  const command = new Command('create')
    .summary('create a workspace with its brand')
    .description(
      'Creates a workspace with its brand; on SQLite the database too, where there is none yet.',
    )
    .argument('<slug>', 'its name on the command line: lower-case letters, digits, hyphens')
    .requiredOption('--name <text>', 'its name for people')
    .requiredOption('--brand <name>', 'the name of its brand');
  return addWordOptions(command)
    .addOption(option(settings.database))
    .addHelpText('after', createExamples)
    .action(async (slug: string, options: CreateOptions) => {
      const { database, name, brand, domain: domains = [], path: paths = [] } = options;
      const words = { name: brand, aliases: aliasesOf(options), domains, paths };
      const { workspace, advice } = await withStore(
        database,
        async (store) => {
          const created = await createWorkspace(store, {
            slug,
            name,
            brand: words,
            clock: io.clock,
          });
          const [subject] = await listSubjects(store.reader, created.id);
          const id = subject?.id ?? '';
          return {
            workspace: created,
            advice: await adviseSubject(store.reader, created.id, { id }),
          };
        },
        { mayCreate: true, onCreate: (path) => printWords(io, `Created the database ${path}.`) },
      );
      printWords(
        io,
        [
          `Created the workspace ${workspace.slug} (${workspace.id}).`,
          'Next:',
          `  overheard subject add NAME --workspace ${workspace.slug}     track a competitor`,
          `  overheard import prompts FILE --workspace ${workspace.slug}  bring data in`,
          `  overheard key create --workspace ${workspace.slug}           make a key for the API`,
        ].join('\n'),
      );
      printAdvice(io, advice, { name: brand, slug: workspace.slug });
    });
}

function listCommand(io: Io): Command {
  return new Command('list')
    .summary('list the workspaces')
    .description('Lists the workspaces by slug.')
    .option('--json', 'print JSON: {"workspaces":[{id, slug, name, created_at}]}')
    .addOption(option(settings.database))
    .addHelpText('after', listExamples)
    .action(async ({ database, json = false }: { database: string; json?: boolean }) => {
      const workspaces = await withStore(database, (store) => listWorkspaces(store.reader));
      if (json) return printJson(io, { workspaces });
      return printTable(io, {
        headings: ['SLUG', 'NAME', 'CREATED'],
        rows: workspaces.map(({ slug, name, created_at }) => [slug, name, created_at]),
        none: 'There is no workspace yet: make one with `overheard workspace create`.',
      });
    });
}

function setCommand(io: Io): Command {
  return new Command('set')
    .summary('change the name or slug of a workspace')
    .description('Changes the name or the slug of a workspace. Keys and data stay as they are.')
    .argument('<slug>', 'the workspace')
    .option('--name <text>', 'its new name for people')
    .option('--slug <slug>', 'its new name on the command line')
    .addOption(option(settings.database))
    .addHelpText('after', setExamples)
    .action(async (slug: string, { database, ...change }: SetOptions) => {
      if (change.name === undefined && change.slug === undefined) {
        throw new CommandError('Say what to change: --name or --slug.', { exitCode: 2 });
      }
      const { hasChanged, workspace } = await withStore(database, async (store) =>
        setWorkspace(store, await findWorkspace(store.reader, slug), change),
      );
      printWords(
        io,
        hasChanged
          ? `The workspace is now ${workspace.slug}: ${workspace.name}`
          : 'Nothing changed: it was so already.',
      );
    });
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .summary('remove a workspace with all of its data and keys')
    .description(
      'Removes a workspace with all of its data and keys, for good. Asks before on a terminal; elsewhere it needs --yes. An import of it that runs is waited for.',
    )
    .argument('<slug>', 'the workspace')
    .option('--yes', 'do not ask')
    .addOption(option(settings.database))
    .addHelpText('after', removeExamples)
    .action(async (slug: string, { database, yes = false }: RemoveOptions) => {
      await withStore(database, async (store) => {
        const workspace = await findWorkspace(store.reader, slug);
        const counts = await countWorkspace(store, workspace.id);
        printWords(
          io,
          `${workspace.slug} (${workspace.name}) has ${wordsFor(counts)}. Once removed, only a backup brings them back.`,
        );
        if (!yes) await confirm(io, { question: `Type ${slug} to remove it:`, word: slug });
        await removeWorkspace(store, workspace.id);
        printWords(io, `Removed the workspace ${workspace.slug}.`);
      });
    });
}

/** `2 keys, 1 subject, 40 prompts` */
function wordsFor(counts: WorkspaceCounts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ');
}

interface CreateOptions extends WordOptions {
  readonly database: string;
  readonly name: string;
  readonly brand: string;
}

interface SetOptions {
  readonly database: string;
  readonly name?: string;
  readonly slug?: string;
}

interface RemoveOptions {
  readonly database: string;
  readonly yes?: boolean;
}

const createExamples = `
Examples:
  overheard workspace create acme --name 'Acme Ltd' --brand Acme --domain acme.example
  overheard workspace create fruit --name Fruit --brand Apple --alias-exact Apple
      An alias that repeats the name says how the name is found: here only as it is written.
  overheard workspace create acme --name Acme --brand Acme \\
      --alias 'Acme Ltd' --alias-pattern 'Acme[- ]?CRM' \\
      --domain acme.example --domain https://acme.example.org/shop --path github.com/acme
      A pasted address is understood. Subdomains belong to their domain, and what is below an owned
      path belongs to the path.`;

const listExamples = `
Examples:
  overheard workspace list
  overheard workspace list --json | jq -r '.workspaces[].slug'`;

const setExamples = `
Examples:
  overheard workspace set acme --name 'Acme Group'
  overheard workspace set acme --slug acme-group
  The brand is a subject: overheard subject set Acme --workspace acme --name Apex`;

const removeExamples = `
Examples:
  overheard workspace remove acme
  overheard workspace remove acme --yes`;
