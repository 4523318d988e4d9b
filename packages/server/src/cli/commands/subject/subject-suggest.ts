import { findUntracked } from '../../../answers/untracked/find-untracked.ts';
import type { UntrackedName } from '../../../answers/untracked/find-untracked.ts';
import { noteEvent } from '../../../people/events.ts';
import { plural } from '../../../values/plural.ts';
import { dismissName, listDismissed, restoreName } from '../../../workspaces/dismissed-names.ts';
import { defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { flag, number } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';

export const suggestCommand = defineWorkspaceCommand({
  name: 'suggest',
  summary: 'list names and sites that answers repeat and nobody tracks',
  description:
    'Finds names with a capital, and linked sites, that recur in at least 3 of the latest counted answers and belong to no subject: possible competitors. It follows rules and adds nothing. Dismissed names are left out. docs/methodology.md has the rules, and how often they are right.',
  options: {
    answers: number('number of latest answers to read', {
      min: 1,
      max: 1_000_000,
      initial: 2000,
    }),
    limit: number('most names, and most sites, to list', { min: 1, max: 1000, initial: 20 }),
  },
  json: '{answers, names:[{name, site, answers, example:{run_id, sentence, url}}], sites:[...], dismissed:[{name, dismissed_at, dismissed_by}]}; a site has no name',
  examples: [
    'overheard subject suggest --workspace acme',
    "overheard subject suggest --workspace acme --json | jq -r '.names[].name'",
  ],
  run: async ({ io, store, workspaceId, slug }, { answers: answersMax, limit: rowsMax }) => {
    const work = { answersMax, rowsMax, signal: io.signal };
    const untracked = await findUntracked(store.reader, workspaceId, work);
    const dismissed = await listDismissed(store.reader, workspaceId);
    const rows = [...untracked.names, ...untracked.sites];
    return {
      json: { ...untracked, dismissed },
      table: tableOf(
        rows,
        {
          NAME: ({ name }) => name,
          SITE: ({ site }) => site,
          ANSWERS: ({ answers }) => String(answers),
          EXAMPLE: exampleWords,
        },
        'No name and no site recurs that is not tracked.',
      ),
      words: [
        `Read ${plural(untracked.answers, 'counted answer')}.`,
        rows.length > 0 &&
          `Track one: \`overheard subject add NAME --workspace ${slug}\`. Dismiss one: \`overheard subject dismiss NAME --workspace ${slug}\`.`,
        dismissed.length > 0 &&
          `Left out, because dismissed: ${dismissed.map(({ name }) => name).join(', ')}. Suggest one again: \`overheard subject dismiss NAME --undo --workspace ${slug}\`.`,
      ],
    };
  },
});

export const dismissCommand = defineWorkspaceCommand({
  name: 'dismiss',
  summary: 'stop suggesting a name or a site',
  description:
    'Dismisses a name or a site, so that neither `overheard subject suggest` nor the page of competitors suggests it again. It can still be tracked.',
  arguments: { name: word('the name, or the site, as it was suggested') },
  options: { undo: flag('let it be suggested again') },
  json: '{name, has_changed}',
  examples: [
    'overheard subject dismiss Wikipedia --workspace acme',
    'overheard subject dismiss Wikipedia --undo --workspace acme',
  ],
  run: async ({ io: { clock }, store, workspaceId }, { name: typed, undo }) => {
    const { hasChanged, name } = undo
      ? await restoreName(store, workspaceId, { name: typed })
      : await dismissName(store, workspaceId, { name: typed, clock });
    const kind = undo ? 'name_restored' : 'name_dismissed';
    const event = { workspaceId, kind, facts: { name } } as const;
    if (hasChanged) await noteEvent(store.access, { userId: null, clock }, event);
    const done = undo ? 'may be suggested again' : 'will not be suggested again';
    const already = undo ? 'was not dismissed' : 'was dismissed before';
    return { json: { name, hasChanged }, words: `${name} ${hasChanged ? done : already}.` };
  },
});

function exampleWords({ example: { sentence, url } }: UntrackedName): string | null {
  return sentence ?? url;
}
