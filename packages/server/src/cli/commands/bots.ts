import { Command } from 'commander';
import { option, settings } from '../../config.ts';
import { bots as catalogue } from '../../crawlers/bots/catalogue.ts';
import type { Bot } from '../../crawlers/bots/catalogue.ts';
import { meansOf } from '../../crawlers/bots/means.ts';
import {
  addWorkspaceBot,
  readWorkspaceBots,
  removeWorkspaceBot,
} from '../../crawlers/bots/workspace-bots.ts';
import { explainAgent } from '../../crawlers/hits/explain-agent.ts';
import { parseBound } from '../../crawlers/ingest/read-options.ts';
import { reasons } from '../../crawlers/verify/verdict.ts';
import type { Store } from '../../storage/store.ts';
import { inWorkspace } from '../options/in-workspace.ts';
import type { Io } from '../terminal/io.ts';
import { printJson, printTable, printText, printWords } from '../terminal/print.ts';
import { systemHostNames } from '../operator-lists/system-host-names.ts';
import { withStore } from '../options/with-store.ts';

/** `overheard bots list|explain|add|remove` */
export function botsCommand(io: Io): Command {
  return new Command('bots')
    .summary('the AI crawlers and agents that are known')
    .description('Bots: the catalogue of AI crawlers and agents, and what a user agent is.')
    .addCommand(listCommand(io))
    .addCommand(explainCommand(io))
    .addCommand(addCommand(io))
    .addCommand(removeCommand(io));
}

interface ListOptions {
  readonly database: string;
  readonly workspace?: string;
  readonly json?: boolean;
}

function listCommand(io: Io): Command {
  return new Command('list')
    .summary('list the catalogue')
    .description('Lists the bots that are known, with a workspace its own too.')
    .option('--json', 'print JSON: {"bots":[{token, name, company, category, lists, dns, ...}]}')
    .addOption(option(settings.workspace))
    .addOption(option(settings.database))
    .addHelpText('after', '\nExamples:\n  overheard bots list\n  overheard bots list --json')
    .action(async ({ database, workspace, json = false }: ListOptions) => {
      const bots = await findBots(database, workspace);
      if (json) return printJson(io, { bots });
      return printTable(io, {
        headings: ['TOKEN', 'COMPANY', 'CATEGORY', 'VERIFIED BY', 'CHECKED'],
        rows: bots.map((bot) => [bot.token, bot.company, bot.category, meansOf(bot), bot.checked]),
        none: 'There is no bot.',
      });
    });
}

interface ExplainOptions extends ListOptions {
  readonly ip?: string;
  readonly at?: string;
  readonly dns: boolean;
}

function explainCommand(io: Io): Command {
  return new Command('explain')
    .summary('say which bot a user agent is, and whether an address is its')
    .description(
      'Shows which bot a user agent claims to be and, with --ip, what a hit from there would be.',
    )
    .argument('<user-agent>', 'the user agent, as in a log')
    .option('--ip <address>', "the client's address")
    .option('--at <when>', 'when the request was: a day, a moment, or 7d, 12h ago (default: now)')
    .option('--no-dns', 'ask for no host names')
    .option('--json', 'print JSON: {bot, verification, evidence}')
    .addOption(option(settings.workspace))
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExample:\n  overheard bots explain "Mozilla/5.0 (compatible; GPTBot/1.3)" --ip 20.171.207.5',
    )
    .action(async (userAgent: string, options: ExplainOptions) => {
      const { database, workspace, ip, at, dns, json = false } = options;
      const bots = await findBots(database, workspace);
      const explain = (db?: Store['reader']) =>
        explainAgent(db, {
          userAgent,
          address: ip,
          atMs: parseBound(at, io.clock()) ?? io.clock(),
          bots,
          hostNames: systemHostNames(io, { dns }),
          clock: io.clock,
        });
      const found =
        ip === undefined
          ? await explain()
          : await withStore(database, (store) => explain(store.reader));
      if (json) return printJson(io, found);
      const { bot, verification, evidence } = found;
      if (bot === null)
        return printWords(io, 'That user agent is no AI crawler or agent that is known.');
      io.stdout.write(
        `${bot.token}: ${bot.name} of ${bot.company}, category ${bot.category}, verified by ${meansOf(bot)}\n`,
      );
      if (bot.docs !== null) io.stdout.write(`${bot.docs}\n`);
      if (evidence === null) return undefined;
      printText(io, `${verification}: ${reasons[evidence.reason]} (${evidence.reason})`);
      for (const [name, value] of Object.entries(evidence)) {
        if (name !== 'reason') io.stdout.write(`  ${name} ${value}\n`);
      }
      return undefined;
    });
}

interface AddOptions {
  readonly database: string;
  readonly workspace: string;
  readonly name?: string;
  readonly company: string;
  readonly category: string;
  readonly list?: readonly string[];
  readonly dnsName?: readonly string[];
  readonly agent?: string;
  readonly authoritative?: boolean;
}

function addCommand(io: Io): Command {
  return new Command('add')
    .summary("add a bot to a workspace's own")
    .description(
      'Adds a bot for one workspace, or replaces one of the same token. Logs that are read from then on are read for it; read older ones again with --from-start.',
    )
    .argument('<token>', 'what its user agent contains')
    .requiredOption('--company <name>', 'who operates it')
    .requiredOption('--category <name>', 'crawler, search or user')
    .option('--name <text>', 'its name (default: the token)')
    .option('--list <id...>', 'lists of its addresses, which you import with `ranges import`')
    .option('--dns-name <pattern...>', 'host names of its addresses, such as crawl-*.example.com')
    .option('--agent <host>', 'the host of its key directory, where it signs (Web Bot Auth)')
    .option('--authoritative', 'an address that fails is not its')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText(
      'after',
      '\nExample:\n  overheard bots add AcmeFetch --company Acme --category user --list acme/fetch --workspace acme',
    )
    .action(async (token: string, options: AddOptions) => {
      const {
        name = token,
        company,
        category,
        list = [],
        dnsName = [],
        agent,
        authoritative = false,
      } = options;
      const row = {
        token,
        name,
        company,
        category,
        lists: list,
        dns: dnsName,
        agent,
        isAuthoritative: authoritative,
        docs: null,
        checked: null,
      };
      const bot = await inWorkspace(options, (store, workspaceId) =>
        addWorkspaceBot(store, workspaceId, row),
      );
      printWords(io, `Added ${bot.token}, verified by ${meansOf(bot)}.`);
    });
}

function removeCommand(io: Io): Command {
  return new Command('remove')
    .summary("remove one of a workspace's own bots")
    .description('Removes a bot that was added; its hits stay.')
    .argument('<token>', 'its token')
    .addOption(option(settings.workspace).makeOptionMandatory())
    .addOption(option(settings.database))
    .addHelpText('after', '\nExample:\n  overheard bots remove AcmeFetch --workspace acme')
    .action(async (token: string, options: { database: string; workspace: string }) => {
      await inWorkspace(options, (store, workspaceId) =>
        removeWorkspaceBot(store, workspaceId, token),
      );
      printWords(io, `Removed ${token}.`);
    });
}

async function findBots(database: string, workspace: string | undefined): Promise<readonly Bot[]> {
  if (workspace === undefined) return catalogue;
  return inWorkspace({ database, workspace }, (store, workspaceId) =>
    readWorkspaceBots(store.reader, workspaceId),
  );
}
