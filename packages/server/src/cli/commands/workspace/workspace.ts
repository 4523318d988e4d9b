import { adviseSubject } from '../../../answers/spellings/advise.ts';
import { countWorkspace, removeWorkspace } from '../../../workspaces/remove-workspace.ts';
import type { WorkspaceCounts } from '../../../workspaces/remove-workspace.ts';
import { listSubjects } from '../../../workspaces/subject.ts';
import {
  archiveWorkspace,
  checkWorkspace,
  createWorkspace,
  findWorkspace,
  setWorkspace,
} from '../../../workspaces/workspaces.ts';
import { defineGroup, defineStoreCommand, word } from '../../define/define-command.ts';
import type { OptionValues } from '../../define/define-command.ts';
import { aliasesOf, flag, requiredText, subjectOptions, text } from '../../define/options.ts';
import { localeOption } from '../../filters/parameter.ts';
import { confirm } from '../../terminal/confirm.ts';
import { printWords } from '../../terminal/print.ts';
import { adviceLines } from '../../words/advice-lines.ts';
import { listCommand } from './workspace-list.ts';
import { exportSecretCommand, importSecretCommand } from './workspace-secret.ts';
import { UsageError } from '../../terminal/command-error.ts';

function brandOf({ brand, ...values }: OptionValues<typeof subjectOptions> & { brand: string }) {
  const { domain: domains, path: paths } = values;
  return { name: brand, aliases: aliasesOf(values), domains, paths };
}

const createCommand = defineStoreCommand({
  name: 'create',
  summary: 'create a workspace with its brand',
  description: 'Creates a workspace with its brand, and on SQLite the database if there is none.',
  arguments: { slug: word('its name on the command line: lower-case letters, digits, hyphens') },
  options: {
    name: requiredText('<text>', 'its name for people'),
    brand: requiredText('<name>', 'the name of its brand'),
    locale: localeOption('language and market of its prompts, such as en-US'),
    ...subjectOptions,
  },
  json: '{id, slug, name, created_at, locale, archived_at}',
  examples: [
    "overheard workspace create acme --name 'Acme Ltd' --brand Acme --domain acme.example",
    'overheard workspace create fruit --name Fruit --brand Apple --alias-exact Apple',
    '    An alias that repeats the name decides how the name is found: here only as written.',
    'overheard workspace create acme --name Acme --brand Acme \\',
    "    --alias 'Acme Ltd' --alias-pattern 'Acme[- ]?CRM' \\",
    '    --domain acme.example --domain https://acme.example.org/shop --path github.com/acme',
    '    A pasted address is understood. Subdomains belong to their domain, and what is below an owned',
    '    path belongs to the path.',
  ],
  mayCreate: true,
  check: (values) => checkWorkspace({ ...values, brand: brandOf(values) }),
  run: async ({ io, store }, { slug, name, brand, locale = null, ...values }) => {
    const words = brandOf({ brand, ...values });
    const created = await createWorkspace(store, {
      slug,
      name,
      brand: words,
      locale,
      clock: io.clock,
    });
    const [subject] = await listSubjects(store.reader, created.id);
    const advice = await adviseSubject(store.reader, created.id, { id: subject?.id ?? '' });
    return {
      json: created,
      words: [
        `Created the workspace ${slug} (${created.id}).`,
        'Next:',
        `  overheard subject add NAME --workspace ${slug}     track a competitor`,
        `  overheard import prompts FILE --workspace ${slug}  bring data in`,
        `  overheard key create --workspace ${slug}           make a key for the API`,
        ...adviceLines(advice, { name: brand, slug }),
      ],
    };
  },
});

const setCommand = defineStoreCommand({
  name: 'set',
  summary: 'change the name, slug or language of a workspace',
  description:
    'Changes the name, the slug or the language of a workspace. Keys and data stay as they are.',
  arguments: { workspace: word('the slug of the workspace') },
  options: {
    name: text('<text>', 'its new name for people'),
    slug: text('<slug>', 'its new name on the command line'),
    locale: localeOption('language and market of its prompts, such as en-US'),
  },
  json: '{id, slug, name, created_at, locale, archived_at, has_changed}',
  examples: [
    "overheard workspace set acme --name 'Acme Group'",
    'overheard workspace set acme --slug acme-group',
    '    The brand is a subject: overheard subject set Acme --workspace acme --name Apex',
  ],
  run: async ({ store }, { workspace: current, name, slug, locale }) => {
    if (name === undefined && slug === undefined && locale === undefined) {
      throw new UsageError('Say what to change: --name, --slug or --locale.');
    }
    const { hasChanged, workspace } = await setWorkspace(
      store,
      await findWorkspace(store.reader, current),
      {
        ...(name !== undefined && { name }),
        ...(slug !== undefined && { slug }),
        ...(locale !== undefined && { locale }),
      },
    );
    return {
      json: { ...workspace, hasChanged },
      words: hasChanged
        ? `The workspace is now ${workspace.slug}: ${workspace.name}`
        : 'Nothing changed: the workspace has these values already.',
    };
  },
});

const archiveCommand = stateCommand('archive', {
  summary: 'put a workspace away, with its data',
  description:
    'Lists a workspace apart and asks none of its prompts. Its data, keys and members stay.',
});

const unarchiveCommand = stateCommand('unarchive', {
  summary: 'bring an archived workspace back',
  description: 'Brings an archived workspace back. Its prompts that are on are asked again.',
});

function stateCommand(
  name: 'archive' | 'unarchive',
  words: { readonly summary: string; readonly description: string },
) {
  return defineStoreCommand({
    name,
    ...words,
    arguments: { slug: word('the workspace') },
    json: '{slug, archived_at}',
    examples: [`overheard workspace ${name} acme`],
    run: async ({ io, store }, { slug }) => {
      const { id } = await findWorkspace(store.reader, slug);
      const archivedAt = name === 'archive' ? new Date(io.clock()).toISOString() : null;
      await archiveWorkspace(store, id, { archivedAt });
      return {
        json: { slug, archivedAt },
        words:
          archivedAt === null
            ? `${slug} is not archived.`
            : `${slug} is archived. Bring it back with: overheard workspace unarchive ${slug}`,
      };
    },
  });
}

const removeCommand = defineStoreCommand({
  name: 'remove',
  summary: 'remove a workspace with all of its data and keys',
  description:
    'Removes a workspace with all of its data and keys, for good. Asks before on a terminal; elsewhere it needs --yes. Waits for an import of it that runs.',
  arguments: { slug: word('the workspace') },
  options: { yes: flag('do not ask') },
  json: '{slug, removed:{prompts, runs, ...}}',
  examples: ['overheard workspace remove acme', 'overheard workspace remove acme --yes'],
  run: async ({ io, store }, { slug, yes }) => {
    const workspace = await findWorkspace(store.reader, slug);
    const removed = await countWorkspace(store, workspace.id);
    printWords(
      io,
      `${slug} (${workspace.name}) has ${wordsFor(removed)}. Once removed, only a backup brings them back.`,
    );
    if (!yes) await confirm(io, { question: `Type ${slug} to remove it:`, word: slug });
    await removeWorkspace(store, workspace.id);
    return { json: { slug, removed }, words: `Removed the workspace ${slug}.` };
  },
});

/** `2 keys, 1 subject, 40 prompts` */
function wordsFor(counts: WorkspaceCounts): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ');
}

export const workspaceCommand = defineGroup({
  name: 'workspace',
  summary: 'create, list, change, move and remove workspaces',
  description: 'Workspaces: each has a brand, its competitors, its data and its keys.',
  commands: [
    createCommand,
    listCommand,
    setCommand,
    archiveCommand,
    unarchiveCommand,
    removeCommand,
    exportSecretCommand,
    importSecretCommand,
  ],
});
