import { readWorkspaceBots } from '../../../crawlers/bots/workspace-bots.ts';
import { parseBound, parseSite, parseUntil } from '../../filters/parse-log-options.ts';
import { fetchRobots } from '../../../crawlers/robots/fetch-robots.ts';
import type { FetchedRobots } from '../../../crawlers/robots/fetch-robots.ts';
import {
  importRobots,
  readRobotsFile,
  removeRobotsFiles,
} from '../../../crawlers/robots/robots-files.ts';
import { readRobotsFiles } from '../../../storage/queries/read-robots-files.ts';
import { reportRobots } from '../../../reports/robots/robots-report.ts';
import { judgeWhatIf } from '../../../reports/robots/what-if.ts';
import { openSource } from '../../../rows/source.ts';
import { parseRobots } from '../../../values/sites/robots-rules.ts';
import { amount, plural } from '../../../values/plural.ts';
import { dayMs } from '../../../values/time/utc-day.ts';
import { defineGroup, defineWorkspaceCommand, word } from '../../define/define-command.ts';
import { flag, list, requiredText, text } from '../../define/options.ts';
import { tableOf } from '../../define/table-of.ts';
import { UsageError } from '../../terminal/command-error.ts';
import { conductLines, conductTable } from './robots-conduct.ts';

const importCommand = defineWorkspaceCommand({
  name: 'import',
  summary: 'import a robots.txt that was in force from a moment on',
  description:
    'Imports the robots.txt of a site. It is in force from --at until the next one of that site. Of a long file the first 500 KiB count, as for crawlers. The order of imports does not matter.',
  arguments: { file: word('the file, or - for standard input') },
  options: {
    host: requiredText('<name>', 'the site, such as www.example.com'),
    at: requiredText('<when>', 'since when it was in force: a day, a moment, or 7d, 12h ago'),
  },
  json: '{host, at, bots, is_new}',
  examples: [
    'overheard robots import robots.txt --host www.acme.com --at 2026-11-01 --workspace acme',
    'git show v1:robots.txt | overheard robots import - --host www.acme.com --at 2026-03-12T09:00:00Z --workspace acme',
  ],
  run: async ({ io, store, workspaceId }, { file: path, ...values }) => {
    const nowMs = io.clock();
    const host = parseSite(values.host) ?? '';
    const atMs = parseBound({ at: values.at }, nowMs) ?? nowMs;
    const { file, isNew } = await importRobots(store, workspaceId, {
      source: await openSource(path, io),
      host,
      atMs,
      nowMs,
    });
    const bots = parseRobots(file.content).botCount;
    const what = bots === 0 ? 'it names no bot, so it allows everything' : plural(bots, 'bot');
    return {
      json: { host, at: file.at, bots, isNew },
      words: `robots.txt of ${host} from ${file.at} on: ${what}${isNew ? '' : ' (known)'}.`,
    };
  },
});

const fetchCommand = defineWorkspaceCommand({
  name: 'fetch',
  summary: 'fetch the robots.txt that is in force now',
  description:
    'Fetches robots.txt from https://SITE/robots.txt, by the rules of RFC 9309, and stores it with the current time. Run it daily. A status from 400 to 499 counts as a site without rules. If a site cannot be reached, or responds with a server error or 429, nothing is kept.',
  options: {
    host: list('<name...>', 'sites; by default those that have a robots.txt here'),
    url: text('<url>', 'where the robots.txt of the one site is, if not there'),
  },
  json: '{"sites":[{host, outcome, problem}]}',
  examples: [
    'overheard robots fetch --host www.acme.com shop.acme.com --workspace acme',
    'overheard robots fetch --workspace acme',
  ],
  run: async ({ io, store, workspaceId }, { host: names, url }) => {
    const source = { db: store.reader, workspaceId };
    const storedFiles = names.length > 0 ? [] : await readRobotsFiles(source);
    const named = names.length > 0 ? names : storedFiles.map(({ host }) => host);
    const hosts = [...new Set(named.map((name) => parseSite(name) ?? ''))];
    if (hosts.length === 0 || (url !== undefined && (hosts.length > 1 || !URL.canParse(url)))) {
      throw new UsageError('Name a site with --host; with --url one, and its whole address.');
    }
    const sites: FetchedRobots[] = [];
    for (const host of hosts) {
      const { fetch, clock, signal } = io;
      sites.push(await fetchRobots(store, workspaceId, { host, url, fetch, clock, signal }));
    }
    const failed = sites.filter(({ outcome }) => outcome === 'failed').length;
    return {
      json: { sites },
      table: tableOf(sites, '', {
        SITE: ({ host }) => host,
        OUTCOME: ({ outcome }) => outcome,
        PROBLEM: ({ problem }) => problem ?? '',
      }),
      failure: failed > 0 ? `${failed} of ${plural(sites.length, 'site')} failed.` : undefined,
    };
  },
});

const listCommand = defineWorkspaceCommand({
  name: 'list',
  summary: 'list the robots.txt of sites, with their times',
  description: 'Lists every stored robots.txt, by site, oldest first.',
  options: { host: text('<name>', 'only this site') },
  json: '{"files":[{host, at, status, content}]}',
  examples: ['overheard robots list --workspace acme'],
  run: async ({ store, workspaceId }, { host }) => {
    const source = { db: store.reader, workspaceId };
    const files = await readRobotsFiles(source, parseSite(host));
    const none =
      'There is no robots.txt. Fetch one: overheard robots fetch --host SITE --workspace SLUG';
    return {
      json: { files },
      table: tableOf(files, none, {
        SITE: (file) => file.host,
        'IN FORCE FROM': ({ at }) => at,
        STATUS: ({ status }) => status ?? 'imported',
        LENGTH: ({ content }) => content.length,
        BOTS: ({ content }) => parseRobots(content).botCount,
      }),
    };
  },
});

const removeCommand = defineWorkspaceCommand({
  name: 'remove',
  summary: 'remove a robots.txt that was imported by mistake',
  description: 'Removes one robots.txt of a site, or all of them.',
  options: {
    host: requiredText('<name>', 'the site'),
    at: text(
      '<when>',
      'the one that is in force from then on, as `overheard robots list` gives it',
    ),
    all: flag('all of the site'),
  },
  json: '{removed}',
  examples: [
    'overheard robots remove --host www.acme.com --at 2026-11-01 --workspace acme',
    'overheard robots remove --host www.acme.com --all --workspace acme',
  ],
  run: async ({ io, store, workspaceId }, { host, at, all }) => {
    if ((at !== undefined) === all) {
      throw new UsageError('Choose: --at WHEN, or --all.');
    }
    const atMs = parseBound({ at }, io.clock());
    const removed = await removeRobotsFiles(store, workspaceId, {
      host: parseSite(host) ?? '',
      at: atMs === undefined ? undefined : new Date(atMs).toISOString(),
    });
    return { json: { removed }, words: `Removed ${plural(removed, 'robots.txt', 'robots.txt')}.` };
  },
});

const whatIfCommand = defineWorkspaceCommand({
  name: 'what-if',
  summary: 'list the stored hits that a robots.txt would have kept away',
  description:
    'Judges the stored hits by the robots.txt in FILE, as if it had been in force and every bot obeyed it, and counts those that it forbids by site, bot and page. Forged hits are left out. Stores nothing. Of hits whose query would decide nobody can say, because queries are not kept.',
  arguments: { file: word('the file, or - for standard input') },
  options: {
    since: text('<when>', 'only hits from then on; 28d by default'),
    until: text('<when>', 'only hits before then; a day is included whole'),
    host: requiredText('<name>', 'the site, such as www.example.com'),
  },
  json: '{"pages":[{bot_name, bot_company, category, path, hits, last_at}], hits, kept_away, unclear}',
  examples: [
    'overheard robots what-if new-robots.txt --host www.acme.com --workspace acme',
    'overheard robots what-if new-robots.txt --host www.acme.com --since 90d --workspace acme',
  ],
  run: async ({ io, store, workspaceId }, { file: path, since, until, host }) => {
    const nowMs = io.clock();
    const source = await openSource(path, io);
    const outcome = await judgeWhatIf(
      { db: store.reader, workspaceId },
      {
        content: await readRobotsFile(source),
        bots: await readWorkspaceBots(store.reader, workspaceId),
        fromMs: parseBound({ since }, nowMs) ?? nowMs - 28 * dayMs,
        toMs: parseUntil(until, nowMs) ?? nowMs,
        host: parseSite(host) ?? '',
      },
    );
    const none =
      outcome.hits === 0
        ? 'The site has no hit in this time that is not forged.'
        : 'This robots.txt would have kept away no hit.';
    return {
      json: outcome,
      table: tableOf(outcome.pages, none, {
        BOT: (page) => page.bot_name,
        CATEGORY: ({ category }) => category,
        PAGE: (page) => page.path,
        HITS: ({ hits }) => hits,
        LAST: ({ last_at: at }) => at,
      }),
      words: [
        outcome.kept_away > 0 &&
          `It would have kept away ${amount(outcome.kept_away, 'hit')} of ${outcome.hits.toLocaleString('en-US')}.`,
        outcome.unclear > 0 && `Of ${amount(outcome.unclear, 'hit')} the query would decide.`,
      ],
    };
  },
});

const reportCommand = defineWorkspaceCommand({
  name: 'report',
  summary: 'report which bots obeyed robots.txt',
  description:
    'Judges each hit by the robots.txt that was in force at its time, and sums up by site and bot. Only verified hits count for an operator. For 24 hours after a change, a bot may use the earlier file.',
  options: {
    since: text('<when>', 'only hits from then on; 28d by default'),
    until: text('<when>', 'only hits before then; a day is included whole'),
    host: text('<name>', 'only this site'),
  },
  json: '{"bots":[{host, bot_name, bot_company, category, conclusion, asked, ignores_by_policy, first_ignored, verified:{allowed, disallowed, unclear, unknown, robots_txt}, unverified:{...}, spoofed:{...}}], without_file}',
  examples: ['overheard robots report --workspace acme --since 2026-11-01'],
  run: async ({ io, store, workspaceId }, { since, until, host }) => {
    const nowMs = io.clock();
    const source = { db: store.reader, workspaceId };
    const report = await reportRobots(source, {
      bots: await readWorkspaceBots(store.reader, workspaceId),
      fromMs: parseBound({ since }, nowMs) ?? nowMs - 28 * dayMs,
      toMs: parseUntil(until, nowMs) ?? nowMs,
      host: parseSite(host),
    });
    return { json: report, table: conductTable(report), words: conductLines(report) };
  },
});

export const robotsCommand = defineGroup({
  name: 'robots',
  summary: 'keep robots.txt with its time, and see which bots obey it',
  description:
    'Robots: the robots.txt of your sites, each with the time from which it was in force, and whether crawlers obeyed it.',
  commands: [importCommand, fetchCommand, listCommand, removeCommand, reportCommand, whatIfCommand],
});
