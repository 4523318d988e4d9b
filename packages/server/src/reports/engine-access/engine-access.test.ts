import { expect, test } from 'vitest';
import { openOnSqlite } from '../../../test/logs/log-place.ts';
import { newTenant } from '../../../test/servers/api.ts';
import { aHit, writeRows } from '../../../test/stores/rows.ts';
import type { Hit } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { fillCounts } from '../../answers/counts/fill-counts.ts';
import type { Store } from '../../storage/store.ts';
import { addDays } from '../../values/time/utc-day.ts';
import { readEngineAccess } from './engine-access.ts';

const to = '2026-11-23';
const bots = {
  search: { bot_name: 'OAI-SearchBot', bot_company: 'OpenAI', category: 'search' },
  training: { bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler' },
  claude: { bot_name: 'Claude-User', bot_company: 'Anthropic', category: 'user' },
} as const;

type Change = Partial<Hit> | null;

/** Five requests of a bot on each of thirty days up to `to`, changed by the day; null leaves a day out. */
function month(bot: keyof typeof bots, changeOf: (date: string) => Change = () => ({})): Hit[] {
  return Array.from({ length: 30 }, (_, day) => addDays(to, -day)).flatMap((date) => {
    const change = changeOf(date);
    if (change === null) return [];
    return Array.from({ length: 5 }, (_, hour) =>
      aHit({ ...bots[bot], host: 'acme.com', hit_at: `${date}T0${hour}:00:00.000Z`, ...change }),
    );
  });
}

const since =
  (from: string, change: Change) =>
  (date: string): Change =>
    date >= from ? change : {};

/** Requests whose sender is unknown or forged, on each of some days. */
function others(from: string, count: number, change: Partial<Hit>): Hit[] {
  return Array.from({ length: 30 }, (_, day) => addDays(from, day))
    .filter((date) => date <= to)
    .flatMap((date) =>
      Array.from({ length: count }, () =>
        aHit({ ...bots.search, hit_at: `${date}T12:00:00.000Z`, ...change }),
      ),
    );
}

const proxied = { verification: 'unverified', evidence: '{"reason":"proxy_address"}' } as const;

interface Seed {
  readonly hits: readonly Hit[];
  readonly robots?: ReadonlyArray<readonly [at: string, content: string]>;
}

async function accessOf(store: Store, { hits, robots = [] }: Seed) {
  const { workspaceId } = await newTenant(store);
  await writeRows(store, workspaceId, { hits });
  for (const [at, content] of robots) {
    const row = { workspace_id: workspaceId, host: 'acme.com', status: null, content };
    await store.writer
      .insertInto('robots_files')
      .values({ ...row, from_at: `${at}T00:00:00.000Z` })
      .execute();
  }
  await store.writer.deleteFrom('rollup_states').execute();
  await fillCounts(store);
  return readEngineAccess({ db: store.reader, workspaceId }, { to });
}

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
    'Give OAI-SearchBot a group of its own there: "User-agent: OAI-SearchBot" and "Allow: /".',
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
    "Write the client's address into the log, or read it with --trust-forwarded, and read the logs since then again.",
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

test.each(stories)('the first sentence tells that %s', async (_, seed, sentence, cure) => {
  const { store } = await openOnSqlite()();
  const [first] = (await accessOf(store, seed)).stories;
  expect(first).toMatchObject({ sentence, cure });
});

test.each(quiet)('there is no story where %s', async (_, seed) => {
  const { store } = await openOnSqlite()();
  expect((await accessOf(store, seed)).stories).toEqual([]);
});

eachStore("engines' access", (open) => {
  test('each engine lists its bots with the genuine requests of seven days and of the seven before', async () => {
    const { store } = await open();
    const hits = [
      ...month('search', since('2026-11-19', { status: 403 })),
      ...month('training'),
      ...month('claude', () => ({ verification: 'unverified' })),
      ...others('2026-11-20', 7, { verification: 'spoofed', status: 403 }),
    ];
    const access = await accessOf(store, { hits });
    const cadence = { usual_days: 1, last_date: to, silent_days: 0 };
    const counts = { bot_company: 'OpenAI', requests: 35, requests_before: 35, refused_before: 0 };
    expect(access).toMatchObject({ until: to, requests: 70, refused: 25 });
    expect(access.days).toHaveLength(30);
    expect(access.days.at(-1)).toEqual({ date: to, genuine: 10, refused: 5 });
    expect(access.engines).toEqual([
      {
        engine: 'ChatGPT',
        bots: [
          {
            ...counts,
            bot_name: 'OAI-SearchBot',
            purpose: 'search',
            last_read_at: '2026-11-18T04:00:00.000Z',
            refused: 25,
            forged: 28,
            refused_since: '2026-11-19',
            cadence,
          },
          {
            ...counts,
            bot_name: 'GPTBot',
            purpose: 'crawler',
            last_read_at: '2026-11-23T04:00:00.000Z',
            refused: 0,
            forged: 0,
            refused_since: null,
            cadence,
          },
        ],
      },
    ]);
  });

  test('a workspace without hits has no engine, no story and no day', async () => {
    const { store } = await open();
    const none = { until: null, stories: [], engines: [], requests: 0, refused: 0, days: [] };
    expect(await accessOf(store, { hits: [] })).toEqual(none);
  });
});
