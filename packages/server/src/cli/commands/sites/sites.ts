import { settleDays } from '../../../crawlers/hits/settle-days.ts';
import { readStandings, voteWords } from '../../../crawlers/hits/site-standing.ts';
import { addDays, utcDay } from '../../../values/time/utc-day.ts';
import { addOwnSite, removeOwnSite } from '../../../workspaces/own-sites.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: "list a workspace's own sites",
  description:
    "Lists the domains of the workspace's own sites: its brand's, and those that were added, and what proves that their logs have the addresses of clients: requests that are verified by address, of two operators or of three networks, within the 30 days before a day and the 30 days after it. Only on such a day a refuted request counts as forged. Looks at the last 60 days. All other hosts are proven together.",
  json: '{"sites":[{domain, votes:[{operator, networks, first_on, last_on}], proven_from, proven_to}], others:{domain, votes, proven_from, proven_to}}',
  examples: ['overheard sites list --workspace acme'],
  run: async ({ io, store, workspaceId }) => {
    const to = utcDay(io.clock());
    const all = await readStandings(store.reader, workspaceId, { from: addDays(to, -59), to });
    const sites = all.filter(({ domain }) => domain !== null);
    const others = all.find(({ domain }) => domain === null);
    return {
      json: { sites, others },
      table: tableOf(all, '', {
        DOMAIN: ({ domain }) => domain ?? 'all other hosts',
        'VERIFIED BY ADDRESS': ({ votes }) => votes.map(voteWords).join(', '),
        'PROVEN FROM': ({ proven_from: from }) => from,
        TO: (standing) => standing.proven_to,
      }),
      words: [
        sites.length === 0 &&
          'There is no own site. Add one: overheard sites add DOMAIN --workspace SLUG',
      ],
    };
  },
});

const addCommand = defineWorkspaceCommand({
  name: 'add',
  summary: 'add an own site',
  description:
    "Adds a domain, with its subdomains, to the workspace's own sites. The brand's domains are own sites already.",
  arguments: { domain: word('its domain') },
  json: '{domain}',
  examples: ['overheard sites add acme.dev --workspace acme'],
  run: async ({ store, workspaceId }, values) => {
    const domain = await addOwnSite(store, workspaceId, values.domain);
    await settleDays(store, workspaceId);
    return { json: { domain }, words: `Added ${domain}.` };
  },
});

const removeCommand = defineWorkspaceCommand({
  name: 'remove',
  summary: 'remove an own site that was added',
  description: 'Removes a domain that was added; its hits stay.',
  arguments: { domain: word('its domain') },
  json: '{domain}',
  examples: ['overheard sites remove acme.dev --workspace acme'],
  run: async ({ store, workspaceId }, values) => {
    const domain = await removeOwnSite(store, workspaceId, values.domain);
    await settleDays(store, workspaceId);
    return { json: { domain }, words: `Removed ${domain}.` };
  },
});

export const sitesCommand = defineGroup({
  name: 'sites',
  summary: "the workspace's own sites",
  description:
    'Own sites: the sites whose logs a workspace reads. Each is proven by its own hits; all other hosts of a log are judged together, because clients can make hosts up.',
  commands: [listCommand, addCommand, removeCommand],
});
