import { expect, test } from 'vitest';
import { placeOf } from '../../../../test/logs/crawler-commands.ts';
import type { CommandPlace } from '../../../../test/logs/crawler-commands.ts';
import { line, withLists } from '../../../../test/logs/operator-logs.ts';
import { eachDatabase } from '../../../../test/stores/stores.ts';

const own = ['--workspace', 'acme', '--no-dns'];

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
    await place.prove();
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
    const place = await placeOf(await create({ seed: withLists }));
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
    const place = await placeOf(await create({ seed: withLists }));
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
    const place = await placeOf(await create({ seed: withLists }));
    const line2015 = json(edge, { http_cf_connecting_ip: client }).replace('2026-', '2015-');
    expect(await ingest(place, line2015, 'cloudflare')).toEqual(['unverified proxy_address']);
  });

  test('the client that a content network names does not count in a header that it passes on, even if its addresses are trusted by number', async () => {
    const place = await placeOf(await create({ seed: withLists }));
    const lines = [
      json(edge, { http_x_forwarded_for: client }, '12:00:01'),
      json(edge, { http_cf_connecting_ip: client }, '12:00:02'),
    ];
    expect(await ingest(place, lines.join(''), '172.64.0.0/24')).toEqual([
      'unverified proxy_address',
      'verified in_list',
    ]);
  });

  test('the client that a content network names is an IPv4 address behind a NAT64 prefix of one’s own', async () => {
    const place = await placeOf(await create({ seed: withLists }));
    const log = await place.write('a.log', line('2a00:1234::14ab:cf05', 1, 'GPTBot'));
    await place.run('hits', 'ingest', log, ...own, '--nat64', '2a00:1234::/96');
    expect((await place.hits())[0]).toMatchObject({ address: client, verification: 'verified' });
    const wrong = await place.run('hits', 'ingest', log, ...own, '--nat64', '2a00:1234::/95');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('not a NAT64 prefix') });
  });
});
