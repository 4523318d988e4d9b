import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandPlace, freshSqlite } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import { runCommand } from '../../../../test/commands/command-line.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme', '--no-dns'];
const secret = 'jx7Rk2mPq9-wTzYb4nVc';

type Headers = Readonly<Record<string, string>>;

/** Operators with a complete list: a bot of each, and its network. */
const operators = [
  ['GPTBot', 'openai/gptbot', '20.171.207'],
  ['ClaudeBot', 'anthropic/bots', '216.73.216'],
  ['PerplexityBot', 'perplexity/perplexitybot', '18.97.9'],
] as const;

/** An edge of each network, and what its documents say that it sends to an origin. */
const networks: ReadonlyArray<{
  readonly name: string;
  readonly edge: string;
  readonly shapes: ReadonlyArray<(client: string) => Headers>;
}> = [
  {
    // https://developer.fastly.com/reference/http/http-headers/X-Forwarded-For/
    name: 'fastly',
    edge: '151.101.7',
    shapes: [
      (client) => ({ http_x_forwarded_for: client }),
      (client) => ({ http_x_forwarded_for: `1.1.1.1, ${client}` }),
      (client) => ({ http_x_forwarded_for: client, http_fastly_client_ip: client }),
      (client) => ({
        http_x_forwarded_for: client,
        http_x_forwarded_server: 'cache-nrt6128-NRT',
        http_fastly_ssl: '1',
      }),
    ],
  },
  {
    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/RequestAndResponseBehaviorCustomOrigin.html
    name: 'cloudfront',
    edge: '13.32.7',
    shapes: [
      (client) => ({ http_x_forwarded_for: client, http_via: '2.0 a.cloudfront.net (CloudFront)' }),
      (client) => ({ http_x_forwarded_for: `192.0.2.4,192.0.2.3, ${client}` }),
      (client) => ({
        http_x_forwarded_for: client,
        http_cloudfront_viewer_address: `${client}:46532`,
      }),
    ],
  },
  {
    // https://bunny.net/docs/cdn/request-headers-to-origin
    name: 'bunny',
    edge: '84.17.46',
    shapes: [
      (client) => ({ http_x_forwarded_for: client, http_x_real_ip: client, http_via: 'BunnyCDN' }),
      (client) => ({ http_x_forwarded_for: client, http_cdn_pullzoneid: '1234567' }),
    ],
  },
];

/** What a stranger may write without the secret. */
const guesses: readonly Headers[] = [
  {},
  { http_x_origin_auth: '' },
  { http_x_origin_auth: '-' },
  { http_x_origin_auth: 'true' },
  { http_x_origin_auth: secret.slice(0, -1) },
  { http_x_origin_auth: `${secret}x` },
  { http_x_origin_auth: secret.toUpperCase() },
  { http_x_origin_auth: `guess, ${secret.slice(1)}` },
  { http_x_origin_authorization: secret },
  { http_referer: secret },
];

function line(address: string, index: number, headers: Headers, bot = 'GPTBot'): string {
  const second = `${12 + Math.floor(index / 60)}:00:${String(index % 60).padStart(2, '0')}`;
  return `${JSON.stringify({
    time_iso8601: `2026-11-20T${second}+00:00`,
    remote_addr: address,
    request: 'GET / HTTP/1.1',
    status: '200',
    http_user_agent: `${bot}/1.3`,
    ...headers,
  })}\n`;
}

/** Twenty requests of each network that name genuine clients, with a header that proves them or not. */
function requests(proof: (index: number) => Headers): string {
  return networks
    .flatMap(({ edge, shapes }, network) =>
      Array.from({ length: 20 }, (_, index) => {
        const [bot, , prefix] = operators[index % operators.length] ?? operators[0];
        const shape = shapes[index % shapes.length];
        const headers = { ...shape?.(`${prefix}.${index + 2}`), ...proof(index) };
        return line(`${edge}.${index + 2}`, network * 20 + index, headers, bot);
      }),
    )
    .join('');
}

const trusted = ['--trust-forwarded', 'fastly', 'cloudfront', 'bunny', 'cloudflare', 'akamai'];

/** A workspace with the lists of operators and content networks. */
async function listedPlace(database: string): Promise<CommandPlace> {
  const place = await commandPlace(database);
  const lists: ReadonlyArray<readonly [id: string, network: string]> = [
    ...operators.map(([, id, network]) => [id, `${network}.0/24`] as const),
    ...networks.map(({ name, edge }) => [`proxy/${name}`, `${edge}.0/24`] as const),
    ['proxy/cloudflare-v4', '172.64.0.0/13'],
    ['proxy/akamai-v4', '23.32.0.0/11'],
  ];
  for (const [id, network] of lists) {
    const at = '2026-11-18T00:00:00Z';
    const list = { creationTime: at, prefixes: [{ ipv4Prefix: network }] };
    const text = id.startsWith('proxy/') ? `${network}\n` : JSON.stringify(list);
    const path = await place.write('list', text);
    const fetched = ['--fetched-at', id.startsWith('proxy/') ? '2026-11-20' : '2026-11-21'];
    await place.run('ranges', 'import', path, '--list', id, ...fetched);
  }
  return place;
}

/** Reads lines, with the secret if `hasSecret`, and returns each verdict, in order of time. */
async function verdictsOf(
  place: CommandPlace,
  text: string,
  {
    options = trusted,
    hasSecret = true,
  }: { options?: readonly string[]; hasSecret?: boolean } = {},
): Promise<readonly string[]> {
  const file = await place.write('origin.secret', `${secret}\n`);
  const more = hasSecret ? ['--origin-secret-file', file] : [];
  const log = await place.write('edge.log', text);
  const outcome = await place.run('hits', 'ingest', log, ...own, ...options, ...more);
  expect(outcome).toMatchObject({ code: 0 });
  return place.verdicts();
}

eachDatabase('a header from a network that strangers share', (create) => {
  test.each([true, false])(
    'verifies none of 60 forged requests, with a secret configured: %s',
    async (hasSecret) => {
      const place = await listedPlace(await create());
      const forged = requests((index) => guesses[index % guesses.length] ?? {});
      expect(await verdictsOf(place, forged, { hasSecret })).toEqual(
        Array.from({ length: 60 }, () => 'unverified proxy_address'),
      );
    },
  );

  test('verifies 60 genuine requests that have the secret', async () => {
    const place = await listedPlace(await create());
    const genuine = requests(() => ({ http_x_origin_auth: secret }));
    expect(await verdictsOf(place, genuine)).toEqual(
      Array.from({ length: 60 }, () => 'verified in_list'),
    );
  });
});

describe('the client behind a content network', () => {
  const client = '20.171.207.5';
  const stranger = '45.9.148.3';
  const proof = { http_x_origin_auth: secret };
  const xff = (...hops: string[]) => ({ http_x_forwarded_for: hops.join(', ') });

  test.each([
    ['Cloudflare', '172.64.0.9', { http_cf_connecting_ip: client }],
    ['Akamai', '23.32.0.9', { http_true_client_ip: client }],
  ])('%s sets its own header for strangers, too', async (_name, edge, header) => {
    const place = await listedPlace(await freshSqlite());
    const text = line(edge, 1, header) + line(edge, 2, { ...header, ...proof });
    expect(await verdictsOf(place, text)).toEqual(['unverified proxy_address', 'verified in_list']);
  });

  test('the secret proves no address but the one that the own network appended', async () => {
    const place = await listedPlace(await freshSqlite());
    const lines = [
      // A stranger writes a genuine client before its own address.
      line('151.101.7.9', 1, { ...xff(client, stranger), ...proof }),
      // A stranger's service of the same network is the client of ours.
      line('151.101.7.9', 2, { ...xff(client, '151.101.7.8'), ...proof }),
      // A stranger that knows the header's name reaches the origin directly.
      line(stranger, 3, xff(client)),
      // A proxy of one's own stands behind the network.
      line('10.0.0.3', 4, { ...xff(client, '151.101.7.9'), ...proof }),
      line('10.0.0.3', 5, xff(client, '151.101.7.9')),
    ];
    const verdicts = await verdictsOf(place, lines.join(''), {
      options: [...trusted, '10.0.0.0/8'],
    });
    expect(verdicts.map((verdict) => verdict.startsWith('verified'))).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect((await place.hits()).map(({ address }) => address)).toEqual([
      stranger,
      '151.101.7.8',
      stranger,
      client,
      '151.101.7.9',
    ]);
  });

  test('a network of one’s own needs no secret', async () => {
    const place = await listedPlace(await freshSqlite());
    const text = line('10.0.0.3', 1, xff(client)) + line('45.9.148.7', 2, xff(client));
    const options = ['--trust-forwarded', '10.0.0.0/8', '45.9.148.7'];
    expect(await verdictsOf(place, text, { options, hasSecret: false })).toEqual([
      'verified in_list',
      'verified in_list',
    ]);
  });

  test('Google’s load balancer writes its own address after the client’s', async () => {
    const place = await listedPlace(await freshSqlite());
    const text = Array.from({ length: 8 }, (_, index) => {
      const supplied = index % 2 === 0 ? [] : [stranger];
      const address = index < 4 ? '35.191.7.9' : '130.211.1.9';
      return line(address, index, xff(...supplied, `20.171.207.${index + 2}`, '34.120.5.6'));
    });
    const forged = line('35.191.7.9', 8, xff(client, stranger, '34.120.5.6'));
    const options = ['--trust-forwarded', 'google-load-balancer'];
    const verdicts = await verdictsOf(place, text.join('') + forged, { options });
    expect(verdicts.slice(0, 8)).toEqual(text.map(() => 'verified in_list'));
    expect((await place.hits()).at(-1)).toMatchObject({ address: stranger });
  });

  test('the secret may come from the variable, is in no argument, and is neither stored nor printed', async () => {
    const database = await freshSqlite();
    const place = await listedPlace(database);
    const skipped = `{"http_x_origin_auth":"${secret}","time_iso8601":"never","request":"GET / HTTP/1.1","http_user_agent":"GPTBot/1.3"}\n`;
    const long = `{"x":"${'a'.repeat(140)}","http_x_origin_auth":"${secret}","y":"${'b'.repeat(70_000)}"}\n`;
    const text = line('151.101.7.9', 1, { ...xff(client), ...proof }) + skipped + long;
    const log = await place.write('a.log', text);
    const ingest = ['hits', 'ingest', log, ...own, ...trusted, '--database', database];
    const clock = () => Date.parse('2026-11-21T00:00:00.000Z');
    const environment = { OVERHEARD_ORIGIN_SECRET: secret };
    for (const more of [[], ['--json', '--from-start']]) {
      const outcome = await runCommand([...ingest, ...more], { environment, clock });
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.stderr + outcome.stdout).not.toContain(secret.slice(0, 6));
      expect(outcome.stderr + outcome.stdout).toContain('***');
    }
    expect(await place.verdicts()).toEqual(['verified in_list']);
    const folder = dirname(database.slice('file:'.length));
    for (const name of (await readdir(folder)).filter((each) => each.startsWith('x.'))) {
      expect((await readFile(join(folder, name))).includes(secret), name).toBe(false);
    }
    const asArgument = await runCommand([...ingest, '--origin-secret', secret], { clock });
    expect(asArgument).toMatchObject({ code: 2 });
  });

  test('a text that cannot be a secret is refused and not shown', async () => {
    const text = `${secret}\nshort`;
    const place = await listedPlace(await freshSqlite());
    const file = await place.write('origin.secret', text);
    const outcome = await place.run('hits', 'ingest', '-', ...own, '--origin-secret-file', file);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('origin.secret') });
    expect(outcome.stderr).not.toContain(text);
  });
});
