import { expect, test } from 'vitest';
import { commandPlace } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme', '--no-dns'];

/** Operators with a complete list and no host names: a bot of each, and its network. */
const operators = [
  ['GPTBot', 'openai/gptbot', '20.171.207'],
  ['ClaudeBot', 'anthropic/bots', '216.73.216'],
  ['PerplexityBot', 'perplexity/perplexitybot', '18.97.9'],
  ['MistralAI-Index', 'mistral/mistralai-index-ips', '51.15.1'],
  ['DuckAssistBot', 'duckduckgo/duckassistbot', '57.152.72'],
  ['ShapBot', 'parallel/shapbot', '35.84.1'],
] as const;

/** Bots of operators that publish nothing. */
const unlisted = ['Bytespider', 'GrokBot', 'DeepSeekBot', 'KimiBot', 'PanguBot', 'Timpibot'];

/** A line of a combined log, at a minute after midnight. */
function line(address: string, minute: number, agent: string, after = ''): string {
  const [hour, rest] = [Math.floor(minute / 60), minute % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${address} - - [20/Nov/2026:${hour}:${rest}:00 +0000] "GET /${minute} HTTP/1.1" 200 5 "-" "${agent}/1.0"${after}\n`;
}

/** Forty genuine requests of six operators, whose addresses the log has not got. */
function genuine(
  addressOf: (index: number) => string,
  { every = 1, hasHeader = false } = {},
): string {
  return Array.from({ length: 40 }, (_, index) => {
    const [bot, , network] = operators[index % operators.length] ?? operators[0];
    const header = hasHeader ? ` "${network}.${index + 1}"` : '';
    return line(addressOf(index), index * every, bot, header);
  }).join('');
}

/** Imports the lists of the operators, which were in force on the day. */
async function withLists({ run, write }: CommandPlace): Promise<void> {
  for (const [, id, network] of operators) {
    const prefixes = [{ ipv4Prefix: `${network}.0/24` }];
    const list = JSON.stringify({ creationTime: '2026-11-18T00:00:00Z', prefixes });
    const path = await write('list.json', list);
    await run('ranges', 'import', path, '--list', id, '--fetched-at', '2026-11-21');
  }
}

/** How many hits have each verdict. */
function counts(verdicts: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(verdicts, (verdict) => verdict)].map(([verdict, { length }]) => [
      verdict,
      length,
    ]),
  );
}

eachDatabase('behind a proxy that passes no client on, nobody is accused', (create) => {
  test('nobody behind a proxy of a content network is accused, and the ingest names the fix', async () => {
    const place = await commandPlace(await create());
    await withLists(place);
    const edges = await place.write('edges.txt', '172.64.0.0/13\n');
    await place.run(
      'ranges',
      'import',
      edges,
      '--list',
      'proxy/cloudflare-v4',
      '--fetched-at',
      '2026-11-21',
    );
    const log = await place.write(
      'a.log',
      genuine((index) => `172.64.${index}.9`),
    );
    const { stderr } = await place.run('hits', 'ingest', log, ...own);
    expect(counts(await place.verdicts())).toEqual({ 'unverified proxy_address': 40 });
    expect(stderr).toContain('40 hits have an address of cloudflare');
    expect(stderr).toContain('--trust-forwarded cloudflare');
  });

  test.each([
    ['many addresses', 1, (index: number) => `45.9.${index}.9`],
    ['four addresses through the day', 30, (index: number) => `45.9.${index % 4}.9`],
    ['two addresses through the day', 30, (index: number) => `45.9.${index % 2}.9`],
  ])('nobody behind an unknown proxy is accused: %s', async (_title, every, addressOf) => {
    const place = await commandPlace(await create());
    await withLists(place);
    const log = await place.write('a.log', genuine(addressOf, { every }));
    await place.run('hits', 'ingest', log, ...own);
    const { 'spoofed not_in_list': accused = 0 } = counts(await place.verdicts());
    expect(accused).toBe(0);
  });

  test('nobody behind a proxy is accused if a header names genuine clients, whom the named fix reads', async () => {
    const place = await commandPlace(await create());
    await withLists(place);
    const log = await place.write(
      'a.log',
      genuine(() => '45.9.148.3', { hasHeader: true }),
    );
    const { stderr } = await place.run('hits', 'ingest', log, ...own);
    expect(counts(await place.verdicts())).toEqual({ 'unverified proxy_address': 40 });
    expect(stderr).toContain('--from-start --trust-forwarded 45.9.148.3');
    await place.run('hits', 'remove', '--address', '45.9.148.3', '--workspace', 'acme');
    await place.run(
      'hits',
      'ingest',
      log,
      ...own,
      '--from-start',
      '--trust-forwarded',
      '45.9.148.3',
    );
    expect(counts(await place.verdicts())).toEqual({ 'verified in_list': 40 });
  });
});

eachDatabase('a forger', (create) => {
  test('a client that claims six operators within minutes is refuted if a list refutes it, and in doubt otherwise', async () => {
    const place = await commandPlace(await create());
    await withLists(place);
    const agents = [...operators.map(([bot]) => bot), ...unlisted];
    const log = agents.map((agent, index) => line('45.9.148.3', index, agent)).join('');
    await place.run('hits', 'ingest', await place.write('a.log', log), ...own);
    expect(counts(await place.verdicts())).toEqual({
      'spoofed not_in_list': 6,
      'unverified many_operators': 6,
    });
  });

  test('a client that adds a header with nobody’s address is spoofed, and so is one that reaches the origin', async () => {
    const place = await commandPlace(await create());
    await withLists(place);
    const log = await place.write('a.log', line('45.9.148.3', 1, 'GPTBot', ' "8.8.8.8"'));
    await place.run('hits', 'ingest', log, ...own);
    const direct = await place.write('b.log', line('45.9.148.4', 2, 'GPTBot', ' "20.171.207.5"'));
    await place.run('hits', 'ingest', direct, ...own, '--trust-forwarded', '10.0.0.0/8');
    expect(await place.verdicts()).toEqual(['spoofed not_in_list', 'spoofed not_in_list']);
  });

  test('a forger is spoofed on a day on which someone was verified, in any order of lines', async () => {
    const forged = genuine((index) => `45.9.${index}.9`);
    const [bot, , network] = operators[0];
    const real = line(`${network}.9`, 900, bot);
    for (const logs of [[forged, real], [real, forged], [real + forged], [forged, real, forged]]) {
      const place = await commandPlace(await create());
      await withLists(place);
      for (const [index, text] of logs.entries()) {
        await place.run('hits', 'ingest', await place.write(`${index}.log`, text), ...own);
      }
      expect(counts(await place.verdicts())).toEqual({
        'spoofed not_in_list': 40,
        'verified in_list': 1,
      });
    }
  });
});

eachDatabase('the client that a content network names', (create) => {
  const secret = 'a-secret-of-our-own';
  const json = (address: string, headers: Readonly<Record<string, string>>, time = '12:00:00') =>
    `${JSON.stringify({
      time_iso8601: `2026-11-20T${time}+00:00`,
      remote_addr: address,
      request: 'GET / HTTP/1.1',
      status: '200',
      http_user_agent: 'GPTBot/1.3',
      http_x_origin_auth: secret,
      ...headers,
    })}\n`;
  const ingest = async (place: CommandPlace, text: string, ...trusted: string[]) => {
    await withLists(place);
    const cloud = await place.write('cf.txt', '172.64.0.0/13\n');
    await place.run(
      'ranges',
      'import',
      cloud,
      '--list',
      'proxy/cloudflare',
      '--fetched-at',
      '2026-11-20',
    );
    const log = await place.write('a.log', text);
    const file = await place.write('origin.secret', secret);
    const trust = ['--trust-forwarded', ...trusted, '--origin-secret-file', file];
    const outcome = await place.run('hits', 'ingest', log, ...own, ...trust);
    expect(outcome).toMatchObject({ code: 0 });
    return place.verdicts();
  };
  const edge = '172.64.0.9';
  const client = '20.171.207.5';

  test('the client that a content network names counts only in its own header, from its own addresses', async () => {
    const place = await commandPlace(await create());
    const lines = [
      json(edge, { http_cf_connecting_ip: client }, '12:00:01'),
      json(edge, { http_x_forwarded_for: client }, '12:00:02'),
      json('45.9.148.3', { http_cf_connecting_ip: client }, '12:00:03'),
      json(edge, { http_cf_connecting_ip: '45.9.148.3', http_x_forwarded_for: client }, '12:00:04'),
    ];
    expect(await ingest(place, lines.join(''), 'cloudflare')).toEqual([
      'verified in_list',
      'unverified proxy_address',
      'spoofed not_in_list',
      'spoofed not_in_list',
    ]);
  });

  test('the client that a content network names is the right-most address that is not trusted, behind several proxies', async () => {
    const place = await commandPlace(await create());
    const lines = [
      json('10.0.0.3', { http_x_forwarded_for: `${client}, 45.9.148.3, 10.0.0.9` }, '12:00:01'),
      json('10.0.0.3', { http_x_forwarded_for: `1.1.1.1, ${client}, 10.0.0.9` }, '12:00:02'),
      json(
        '10.0.0.3',
        { http_forwarded: `for="${client}:4711";proto=https, for=10.0.0.9` },
        '12:00:03',
      ),
      json(
        '10.0.0.3',
        { http_forwarded: `for=${client}`, http_x_forwarded_for: '45.9.148.3' },
        '12:00:04',
      ),
      json('10.0.0.3', { http_x_forwarded_for: edge, http_cf_connecting_ip: client }, '12:00:05'),
    ];
    expect(await ingest(place, lines.join(''), '10.0.0.0/8', 'cloudflare')).toEqual([
      'spoofed not_in_list',
      'verified in_list',
      'verified in_list',
      'unverified private_address',
      'verified in_list',
    ]);
  });

  test('the client that a content network names does not count by a list of another time', async () => {
    const place = await commandPlace(await create());
    const line2015 = json(edge, { http_cf_connecting_ip: client }).replace('2026-', '2015-');
    expect(await ingest(place, line2015, 'cloudflare')).toEqual(['unverified proxy_address']);
  });

  test('the client that a content network names does not count in a header that it passes on, even if its addresses are trusted by number', async () => {
    const place = await commandPlace(await create());
    const lines = [
      json(edge, { http_x_forwarded_for: client }, '12:00:01'),
      json(edge, { http_cf_connecting_ip: client }, '12:00:02'),
    ];
    expect(await ingest(place, lines.join(''), '172.64.0.0/24')).toEqual([
      'unverified proxy_address',
      'verified in_list',
    ]);
  });

  test('an ingest does not advise to trust a content network by number', async () => {
    const place = await commandPlace(await create());
    const lines = json(edge, { http_x_forwarded_for: client });
    await ingest(place, lines, 'cloudflare');
    const log = await place.write('b.log', lines);
    const again = ['--trust-forwarded', 'cloudflare', '--from-start'];
    const { stderr } = await place.run('hits', 'ingest', log, ...own, ...again);
    expect(stderr).toContain('the log lacks the header in which this proxy names its client');
    expect(stderr).not.toContain(`--trust-forwarded ${edge}`);
  });

  test('an unknown content network is wrong usage', async () => {
    const place = await commandPlace(await create());
    const log = await place.write('a.log', line('45.9.148.3', 1, 'GPTBot'));
    const outcome = await place.run(
      'hits',
      'ingest',
      log,
      ...own,
      '--trust-forwarded',
      'cloudfare',
    );
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('cloudfare') });
  });

  test('the client that a content network names is an IPv4 address behind a NAT64 prefix of one’s own', async () => {
    const place = await commandPlace(await create());
    await withLists(place);
    const log = await place.write('a.log', line('2a00:1234::14ab:cf05', 1, 'GPTBot'));
    await place.run('hits', 'ingest', log, ...own, '--nat64', '2a00:1234::/96');
    expect((await place.hits())[0]).toMatchObject({ address: client, verification: 'verified' });
    const wrong = await place.run('hits', 'ingest', log, ...own, '--nat64', '2a00:1234::/95');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('not a NAT64 prefix') });
  });
});
