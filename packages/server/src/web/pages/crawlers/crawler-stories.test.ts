// @module-tag slow

import { expect, onTestFinished, test } from 'vitest';
import { connectAddress } from '../../../../../mcp/test/connect.ts';
import { newPerson } from '../../../../test/browsers/people.ts';
import { startWeb, Visitor } from '../../../../test/browsers/web.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import {
  month,
  others,
  proxied,
  seedWorkspace,
  since,
  to,
} from '../../../../test/logs/bot-months.ts';
import type { Seed } from '../../../../test/logs/bot-months.ts';
import { startApi } from '../../../../test/servers/api.ts';
import { eachStore } from '../../../../test/stores/stores.ts';
import type { Open } from '../../../../test/stores/stores.ts';
import { readEngineAccess } from '../../../reports/engine-access/engine-access.ts';

const clock = () => Date.parse(`${to}T12:00:00.000Z`);

const stories: ReadonlyArray<readonly [what: string, seed: Seed, first: string, cure: string]> = [
  [
    'a firewall refuses a bot that an engine searches with',
    { hits: [...month('search', since('2026-11-19', { status: 403 })), ...month('training')] },
    "OAI-SearchBot, which ChatGPT's search reads with, has been refused since 19 November: 25 of 25 requests.",
    'Let OAI-SearchBot through the firewall, CDN or bot protection, by the addresses that OpenAI publishes.',
  ],
  [
    'a rate limit refuses a bot that reads for people',
    { hits: month('claude', since('2026-11-12', { status: 429 })) },
    'Claude-User, which reads pages for people who ask Claude, has been refused since 12 November: 60 of 60 requests.',
    'Raise the rate limit for Claude-User, which gets 429.',
  ],
  [
    'a content network asks a bot to pay',
    { hits: month('training', since('2026-11-20', { status: 402 })) },
    'GPTBot, which reads for the training of ChatGPT, has been refused since 20 November: 20 of 20 requests.',
    'Your CDN asks GPTBot to pay (402): allow it there.',
  ],
  [
    'a firewall refuses two bots, and the one that reads for answers comes first',
    {
      hits: [
        ...month('training', since('2026-11-01', { status: 403 })),
        ...month('search', since('2026-11-20', { status: 403 })),
      ],
    },
    "OAI-SearchBot, which ChatGPT's search reads with, has been refused since 20 November: 20 of 20 requests.",
    'Let OAI-SearchBot through the firewall, CDN or bot protection, by the addresses that OpenAI publishes.',
  ],
  [
    'robots.txt keeps a bot out, which obeys and reads no other page',
    {
      hits: month('search', since('2026-11-18', { path: '/robots.txt' })),
      robots: [
        ['2026-10-01', 'User-agent: *\nDisallow: /private'],
        ['2026-11-18', 'User-agent: *\nDisallow: /'],
      ],
    },
    "OAI-SearchBot, which ChatGPT's search reads with, has been kept out by the robots.txt of acme.com since 18 November.",
    'Give OAI-SearchBot a group of its own there: "User-agent: OAI-SearchBot", "Allow: /" and the Disallow lines of "User-agent: *" that it should still obey.',
  ],
  [
    'the server fails after a deployment',
    { hits: month('search', since('2026-11-21', { status: 500 })) },
    "OAI-SearchBot, which ChatGPT's search reads with, has got server errors since 21 November: 15 of 15 requests.",
    "Look at what was deployed on 21 November, and at the server's own log of errors.",
  ],
  [
    'a bot that came daily comes no more',
    { hits: [...month('search', since('2026-11-12', null)), ...month('training')] },
    "OAI-SearchBot, which ChatGPT's search reads with, usually comes daily and was last seen 12 days ago, on 11 November.",
    'Check that every log is read, and that no firewall drops it before its requests are logged.',
  ],
  [
    'a bot that came every other day comes no more',
    {
      hits: [
        ...month('claude', (date) =>
          date >= '2026-11-08' || Number(date.slice(8)) % 2 === 0 ? null : {},
        ),
        ...month('training'),
      ],
    },
    'Claude-User, which reads pages for people who ask Claude, usually comes every 2 days and was last seen 16 days ago, on 7 November.',
    'Check that every log is read, and that no firewall drops it before its requests are logged.',
  ],
  [
    'a content network is switched on',
    {
      hits: [
        ...month('search', since('2026-11-15', proxied)),
        ...month('training', since('2026-11-15', proxied)),
      ],
    },
    "Since 15 November the log has a proxy's address in place of the bots': 90 of 90 requests, so nobody can say which are genuine.",
    "Write the client's address into the log, or read it with --trust-forwarded; then remove these requests and read their logs again.",
  ],
  [
    'someone forges a bot in great number',
    {
      hits: [...month('search'), ...others('2026-11-20', 400, { verification: 'spoofed' })],
    },
    'Since 20 November 1,600 of 1,635 requests that name OAI-SearchBot are forged.',
    'Refuse OAI-SearchBot from all addresses but those that OpenAI publishes; its own requests are not the problem.',
  ],
  [
    'a bot is refused while someone forges it',
    {
      hits: [
        ...month('search', since('2026-11-20', { status: 403 })),
        ...others('2026-11-20', 400, { verification: 'spoofed' }),
      ],
    },
    "OAI-SearchBot, which ChatGPT's search reads with, has been refused since 20 November: 20 of 20 requests.",
    'Let OAI-SearchBot through the firewall, CDN or bot protection, by the addresses that OpenAI publishes.',
  ],
  [
    'a bot is refused again after it was let in',
    {
      hits: month('search', (date) =>
        date < '2026-11-05' || date >= '2026-11-22' ? { status: 403 } : {},
      ),
    },
    "OAI-SearchBot, which ChatGPT's search reads with, has been refused since 22 November: 10 of 10 requests.",
    'Let OAI-SearchBot through the firewall, CDN or bot protection, by the addresses that OpenAI publishes.',
  ],
];

const quiet: ReadonlyArray<readonly [what: string, seed: Seed]> = [
  ['nothing is wrong', { hits: [...month('search'), ...month('training')] }],
  [
    'a bot was refused and is let in again',
    {
      hits: month('search', (date) => (date < '2026-11-15' ? { status: 403 } : {})),
    },
  ],
  [
    'a few of many unproven requests come through a proxy',
    {
      hits: [
        ...month('training'),
        ...others('2026-11-15', 30, { verification: 'unverified' }),
        ...others('2026-11-20', 6, proxied),
      ],
    },
  ],
  [
    'only forged requests are refused',
    {
      hits: [
        ...month('search'),
        ...others('2026-11-20', 10, { verification: 'spoofed', status: 403 }),
      ],
    },
  ],
  [
    'the log ends for all bots on one day',
    {
      hits: [
        ...month('search', since('2026-11-12', null)),
        ...month('training', since('2026-11-12', null)),
      ],
    },
  ],
  [
    'robots.txt was shut and is open again',
    {
      hits: month('search'),
      robots: [
        ['2026-11-01', 'User-agent: *\nDisallow: /'],
        ['2026-11-02', ''],
      ],
    },
  ],
];

eachStore('what keeps bots from a site', (open) => {
  test.each(stories)(
    'the first story is told with its day and its cure: %s',
    async (_, seed, sentence, cure) => {
      expect(await storyOf(open, seed)).toEqual({ sentence, cure });
    },
  );

  test.each(quiet)('no story is told where %s', async (_, seed) => {
    expect(await storyOf(open, seed)).toBeNull();
  });

  test('page, tool and command begin with the same sentence and cure', async () => {
    const [[, seed, sentence, cure] = []] = stories;
    if (seed === undefined) throw new RangeError('No such story');
    const first = { sentence, cure };
    expect(await tell(open, seed)).toEqual({ page: first, tool: first, command: first });
  });

  test('page, tool and command begin with no sentence where nothing keeps bots out', async () => {
    const [[, seed] = []] = quiet;
    if (seed === undefined) throw new RangeError('No such workspace');
    expect(await tell(open, seed)).toEqual({ page: null, tool: null, command: null });
  });
});

/** The first story of a seeded workspace; null if there is none. */
async function storyOf(open: Open, seed: Seed) {
  const { store } = await open({ clock });
  const { workspaceId } = await seedWorkspace(store, seed);
  const { stories: told } = await readEngineAccess({ db: store.reader, workspaceId }, { to });
  const [first] = told;
  return first === undefined ? null : { sentence: first.sentence, cure: first.cure };
}

/** The first story of a seeded workspace as each door has it; null if there is none. */
async function tell(open: Open, seed: Seed) {
  const { visitor, store, url, slug, key } = await visit(open, seed);
  const { body } = await visitor.get(`/w/${slug}/crawlers`);
  const { app } = await startApi(store, { clock });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const host = await connectAddress({ url: address, apiKey: key });
  onTestFinished(() => host.close());
  const { rows } = await host.call('get_report');
  const words = ['hits', 'summary', '--workspace', slug, '--database', url];
  const { stdout } = await runCommand(words, { clock });
  return { page: ofPage(body), tool: ofTool(rows), command: ofCommand(stdout) };
}

/** A person who is signed in to a seeded workspace. */
async function visit(open: Open, seed: Seed) {
  const { store, url } = await open({ clock });
  const tenant = await seedWorkspace(store, seed);
  const person = await newPerson(store, { workspaceId: tenant.workspaceId, clock });
  return { store, url, ...tenant, visitor: new Visitor(await startWeb(store, { clock }), person) };
}

function ofPage(body: string) {
  const title = /<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? '';
  const cure = /What to do<\/h2>\s*<p>(.*?)<\/p>/s.exec(body)?.[1];
  if (cure === undefined) return null;
  return { sentence: textOf(title), cure: textOf(cure) };
}

function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}

function ofTool(rows: ReadonlyArray<Record<string, unknown>>) {
  const told = rows.find((row) => 'crawlers' in row)?.['crawlers'];
  if (!Array.isArray(told)) throw new TypeError('get_report has no part about crawlers');
  const [first]: unknown[] = told;
  if (first === undefined) return null;
  const { says: sentence, fix: cure }: Record<string, unknown> = Object(first);
  return { sentence, cure };
}

function ofCommand(stdout: string) {
  const [line = ''] = stdout.split('\n');
  const end = line.indexOf('. ') + 1;
  if (line.startsWith('Nothing keeps')) return null;
  return { sentence: line.slice(0, end), cure: line.slice(end + 1) };
}
