import { settleDays } from '../../../crawlers/hits/settle-days.ts';
import { readOwnSites } from '../../../storage/queries/read-own-sites.ts';
import { addOwnSite, removeOwnSite } from '../../../workspaces/own-sites.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { tableOf } from '../../define/table-of.ts';

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: "list a workspace's own sites",
  description:
    "Lists the domains of the workspace's own sites: its brand's, and those that were added.",
  json: '{"sites":[{domain}]}',
  examples: ['overheard sites list --workspace acme'],
  run: async ({ store, workspaceId }) => {
    const domains = await readOwnSites(store.reader, workspaceId);
    const sites = domains.map((domain) => ({ domain }));
    const ifEmpty = 'There is no own site. Add one: overheard sites add DOMAIN --workspace SLUG';
    return { json: { sites }, table: tableOf(sites, { DOMAIN: ({ domain }) => domain }, ifEmpty) };
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
