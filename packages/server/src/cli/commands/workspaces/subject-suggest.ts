import { findUntracked } from '../../../answers/untracked/find-untracked.ts';
import type { Untracked } from '../../../answers/untracked/find-untracked.ts';
import { plural } from '../../../values/plural.ts';
import { defineWorkspaceCommand } from '../../define/define-command.ts';
import { number } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';

export const suggestCommand = defineWorkspaceCommand({
  name: 'suggest',
  summary: 'list names and sites that answers repeat and nobody tracks',
  description:
    'Finds names with a capital, and linked sites, that recur in at least 3 of the latest counted answers and belong to no subject: possible competitors. It goes by rules and adds nothing. docs/methodology.md has the rules, and how often they are right.',
  options: {
    answers: number('read so many of the latest answers', {
      min: 1,
      max: 1_000_000,
      initial: 2000,
    }),
    limit: number('list at most so many names, and sites', { min: 1, max: 1000, initial: 20 }),
  },
  json: '{answers, names:[{name, site, answers, example:{run_id, sentence, url}}], sites:[...]}; a site has no name',
  examples: [
    'overheard subject suggest --workspace acme',
    "overheard subject suggest --workspace acme --json | jq -r '.names[].name'",
  ],
  run: async ({ io, store, workspaceId, slug }, { answers: answersMax, limit: rowsMax }) => {
    const work = { answersMax, rowsMax, signal: io.signal };
    const found = await findUntracked(store.reader, workspaceId, work);
    const rows = [...found.names, ...found.sites];
    return {
      json: found,
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
        `Read ${plural(found.answers, 'counted answer')}.`,
        rows.length > 0 && `Track a competitor: overheard subject add NAME --workspace ${slug}`,
      ],
    };
  },
});

function exampleWords({ example: { sentence, url } }: Untracked): string | null {
  return sentence ?? url;
}
