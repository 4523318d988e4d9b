// @module-tag slow

import { expect, onTestFinished, test } from 'vitest';
import { startNameServer } from '../../../test/logs/name-server.ts';
import type { Behaviour, NameRecord } from '../../../test/logs/name-server.ts';
import { createHostNames } from '../../crawlers/verify/host-names.ts';
import { createDnsResolver } from './system-host-names.ts';

const name = 'crawl-66-249-66-1.googlebot.com';
const bot = { dns: ['crawl-*.googlebot.com'] };
const ipv6 = '2001:4860:4801:10::1b';
const digits = '2001486048010010000000000000001b';
const under = [...digits].toReversed().concat('ip6.arpa').join('.');

const ipv4Records: readonly NameRecord[] = [
  { name: '1.66.249.66.in-addr.arpa', type: 'PTR', value: name },
  { name, type: 'A', value: '66.249.66.1' },
];

test.each<readonly [string, string, Behaviour]>([
  ['an IPv4 address', '66.249.66.1', ipv4Records],
  [
    'an IPv6 address',
    ipv6,
    [
      { name: under, type: 'PTR', value: name },
      { name, type: 'AAAA', value: digits },
    ],
  ],
  [
    'an address whose name stands elsewhere (RFC 2317)',
    '66.249.66.1',
    [
      { name: '1.66.249.66.in-addr.arpa', type: 'CNAME', value: '1.0-63.66.249.66.in-addr.arpa' },
      { name: '1.0-63.66.249.66.in-addr.arpa', type: 'PTR', value: name },
      { name, type: 'A', value: '66.249.66.1' },
    ],
  ],
])('%s is confirmed by its name', async (_, address, records) => {
  expect(await ask(address, records)).toMatchObject({ kind: 'confirmed', hostName: name });
});

test('an address without a PTR record is a result, not a DNS failure', async () => {
  expect(await ask('45.9.148.3', ipv4Records)).toMatchObject({ kind: 'other', hostName: null });
});

test('a malformed PTR record is a result, so that a forger cannot hide behind one', async () => {
  const odd = 'crawl-a b.googlebot.com';
  const records = [{ name: '3.148.9.45.in-addr.arpa', type: 'PTR', value: odd }] as const;
  expect(await ask('45.9.148.3', records)).toMatchObject({ kind: 'other' });
});

test.each<readonly [string, Behaviour]>([
  ['fail', { code: 2 }],
  ['refuse', { code: 5 }],
  ['say nothing', 'silent'],
])('servers that %s give no answer: nobody is called a forger for that', async (_, behaviour) => {
  expect(await ask('45.9.148.3', behaviour)).toEqual({ kind: 'error' });
});

async function ask(address: string, behaviour: Behaviour) {
  const server = await startNameServer(behaviour);
  onTestFinished(server.stop);
  const resolver = createDnsResolver({ servers: [server.address] });
  return createHostNames({ resolver, clock: () => 5 }).ask(address, bot);
}
