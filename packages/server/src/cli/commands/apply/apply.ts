import { buffer } from 'node:stream/consumers';
import { Refusal } from '../../../refusals.ts';
import { openSource } from '../../../rows/source.ts';
import { errnoOf } from '../../../values/errno.ts';
import { plural } from '../../../values/plural.ts';
import { defineStoreCommand, word } from '../../define/define-command.ts';
import { flag } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { applyWorkspaces } from './apply-workspaces.ts';
import { parseWorkspaceFile } from './workspace-file.ts';

const namesShown = 3;

export const applyCommand = defineStoreCommand({
  name: 'apply',
  summary: 'make workspaces as a file describes them',
  description:
    'Makes and changes workspaces, their brands, competitors, prompts with tags, budgets, engines, members and recipients of messages, as a file in YAML or JSON describes them. Everything is checked first: one wrong line, and nothing is changed. Applying the same file again changes nothing. What the file leaves out stays as it is, unless --prune.',
  arguments: { file: word('file to read, or - for standard input') },
  options: {
    dryRun: flag('show what would be changed, and change nothing'),
    prune: flag(
      'where the file has a list, end what is not in it: archive competitors, make prompts inactive, remove tags, aliases, domains, paths, members and recipients. Workspaces that the file does not name stay',
    ),
  },
  json: '{dry_run, changes:[{workspace, kind, action, names}], new_users}',
  examples: [
    'overheard apply workspaces.yaml --dry-run',
    'overheard apply workspaces.yaml',
    'overheard apply workspaces.yaml --prune',
  ],
  run: async ({ io, store }, { file: path, dryRun, prune }) => {
    const source = await openSource(path, io);
    const bytes = await buffer(source.stream).catch((error: unknown) => {
      throw new Refusal('file_unreadable', { path, errno: errnoOf(error) }, { cause: error });
    });
    const file = parseWorkspaceFile(source.name, bytes);
    const options = { isDryRun: dryRun, prunes: prune, fileName: source.name, clock: io.clock };
    const { changes, newUsers } = await applyWorkspaces(store, file, options);
    const changed = new Set(changes.map(({ workspace }) => workspace));
    const all = plural(file.workspaces.length, 'workspace');
    return {
      json: { dryRun, changes, newUsers },
      table: tableOf(changes, '', {
        WORKSPACE: ({ workspace }) => workspace,
        CHANGE: ({ kind, action }) => `${kind} ${action}`,
        WHAT: ({ names }) =>
          names.length > namesShown ? plural(names.length, 'prompt') : names.join(', '),
      }),
      words: [
        changes.length === 0
          ? `Nothing changed: ${all} of ${source.name} as described.`
          : `${dryRun ? 'Would change' : 'Changed'} ${changed.size} of ${all} of ${source.name}.`,
        newUsers.length > 0 &&
          !dryRun &&
          `${plural(newUsers.length, 'user')} added. Make each a link to sign in with: overheard user link EMAIL`,
        dryRun && 'This was a dry run: nothing was written.',
      ],
    };
  },
});
