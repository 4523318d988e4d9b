import { settings } from '../../../config.ts';
import { bots as catalogue, meansOf } from '../../../crawlers/bots/catalogue.ts';
import type { Bot } from '../../../crawlers/bots/catalogue.ts';
import {
  addWorkspaceBot,
  readWorkspaceBots,
  removeWorkspaceBot,
} from '../../../crawlers/bots/workspace-bots.ts';
import { explainAgent } from '../../../crawlers/hits/explain-hit.ts';
import { parseBound } from '../../filters/parse-log-options.ts';
import type { Store } from '../../../storage/store.ts';
import {
  defineCommand,
  defineGroup,
  defineWorkspaceCommand,
  word,
} from '../../define/define-command.ts';
import { flag, list, requiredText, text } from '../../define/options.ts';
import { inWorkspace, withStore } from '../../define/with-store.ts';
import { noDns, systemHostNames } from '../../operator-lists/system-host-names.ts';
import { verdictLines } from '../../words/verdict-lines.ts';
import { tableOf } from '../../define/table-of.ts';

const { database, workspace } = settings;

const listCommand = defineCommand({
  name: 'list',
  summary: 'list the catalogue',
  description: "Lists the known bots; with a workspace, the workspace's own too.",
  options: { workspace, database },
  json: '{"bots":[{token, name, company, category, lists, dns, ...}]}',
  examples: ['overheard bots list', 'overheard bots list --json'],
  run: async (_, values) => {
    const bots = await findBots(values);
    return {
      json: { bots },
      table: tableOf(bots, 'There is no bot.', {
        TOKEN: ({ token }) => token,
        COMPANY: ({ company }) => company,
        CATEGORY: ({ category }) => category,
        'VERIFIED BY': meansOf,
        CHECKED: ({ checked }) => checked,
      }),
    };
  },
});

const explainCommand = defineCommand({
  name: 'explain',
  summary: 'show which bot a user agent is, and whether an address belongs to it',
  description:
    'Shows which bot a user agent claims to be and, with --ip, the verdict of a hit from that address.',
  arguments: { userAgent: word('the user agent, as in a log') },
  options: {
    ip: text('<address>', "the client's address"),
    at: text('<when>', 'when the request was: a day, a moment, or 7d, 12h ago (default: now)'),
    noDns,
    workspace,
    database,
  },
  json: '{bot, verification, evidence}',
  examples: ['overheard bots explain "Mozilla/5.0 (compatible; GPTBot/1.3)" --ip 20.171.207.5'],
  run: async ({ io }, { userAgent, ip, at, ...values }) => {
    const bots = await findBots(values);
    const explain = (db?: Store['reader']) =>
      explainAgent(db, {
        userAgent,
        address: ip,
        atMs: parseBound({ at }, io.clock()) ?? io.clock(),
        bots,
        hostNames: systemHostNames(io, values),
        clock: io.clock,
      });
    const explanation =
      ip === undefined
        ? await explain()
        : await withStore(values.database, (store) => explain(store.reader));
    const { bot, verification, evidence } = explanation;
    if (bot === null) {
      return { json: explanation, words: 'That user agent is not a known AI crawler or agent.' };
    }
    return {
      json: explanation,
      text: [
        `${bot.token}: ${bot.name} of ${bot.company}, category ${bot.category}, verified by ${meansOf(bot)}`,
        bot.docs ?? false,
        ...(evidence === null ? [] : verdictLines(verification ?? '', evidence)),
      ],
    };
  },
});

const addCommand = defineWorkspaceCommand({
  name: 'add',
  summary: "add a bot to a workspace's own",
  description:
    'Adds a bot for one workspace, or replaces one of the same token. Logs are read for this bot from now on; read older ones again with --from-start.',
  arguments: { token: word('what its user agent contains') },
  options: {
    company: requiredText('<name>', 'who operates it'),
    category: requiredText('<name>', 'crawler, search or user'),
    name: text('<text>', 'its name (default: the token)'),
    list: list('<id...>', 'lists of its addresses, which you import with `ranges import`'),
    dnsName: list('<pattern...>', 'host names of its addresses, such as crawl-*.example.com'),
    agent: text('<host>', 'the host of its key directory, if it signs (Web Bot Auth)'),
    authoritative: flag("an address that matches none of these is not the bot's"),
  },
  json: '{token, name, company, category, lists, dns, ...}',
  examples: [
    'overheard bots add AcmeFetch --company Acme --category user --list acme/fetch --workspace acme',
  ],
  run: async ({ store, workspaceId }, values) => {
    const { token, name = token, company, category, agent } = values;
    const bot = await addWorkspaceBot(store, workspaceId, {
      token,
      name,
      company,
      category,
      lists: values.list,
      dns: values.dnsName,
      agent,
      isAuthoritative: values.authoritative,
      docs: null,
      checked: null,
    });
    return { json: bot, words: `Added ${bot.token}, verified by ${meansOf(bot)}.` };
  },
});

const removeCommand = defineWorkspaceCommand({
  name: 'remove',
  summary: "remove one of a workspace's own bots",
  description: 'Removes a bot that was added; its hits stay.',
  arguments: { token: word('its token') },
  json: '{token}',
  examples: ['overheard bots remove AcmeFetch --workspace acme'],
  run: async ({ store, workspaceId }, { token }) => {
    await removeWorkspaceBot(store, workspaceId, token);
    return { json: { token }, words: `Removed ${token}.` };
  },
});

async function findBots({
  database: url,
  workspace: slug,
}: {
  database: string;
  workspace: string | undefined;
}): Promise<readonly Bot[]> {
  if (slug === undefined) return catalogue;
  return inWorkspace({ database: url, workspace: slug }, (store, workspaceId) =>
    readWorkspaceBots(store.reader, workspaceId),
  );
}

export const botsCommand = defineGroup({
  name: 'bots',
  summary: 'the AI crawlers and agents that are known',
  description: 'Bots: the catalogue of AI crawlers and agents, and what a user agent is.',
  commands: [listCommand, explainCommand, addCommand, removeCommand],
});
