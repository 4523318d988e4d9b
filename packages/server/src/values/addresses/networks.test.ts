import fc from 'fast-check';
import { BlockList, isIP } from 'node:net';
import { expect, test } from 'vitest';
import { isIpv4, parseAddress } from './address.ts';
import { createNetworks, isGlobal, networkOf, parseNetwork } from './networks.ts';
import type { Network } from './networks.ts';

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
const anyPrefix = fc.oneof(
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
);

test('every address has one spelling, and reading it gives the same address', () => {
  fc.assert(
    fc.property(anyAddress, (text) => {
      const address = parseAddress(text);
      if (address === undefined) throw new Error(`not read: ${text}`);
      const spelling = address.text;
      expect(isIP(spelling)).not.toBe(0);
      expect(parseAddress(spelling)).toEqual(address);
    }),
  );
});

test('text that is not an address is not read as one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const isPlain = /^[0-9a-fA-F.:]*$/.test(text) && isIP(text) === 0;
      fc.pre(isPlain);
      // A port behind IPv4 is what logs write.
      fc.pre(!/^[\d.]+:\d*$/.test(text));
      expect(parseAddress(text)).toBeUndefined();
    }),
  );
  for (const text of [
    '',
    '-',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    ':',
    ':::',
    '1::2::3',
  ]) {
    expect(parseAddress(text), text).toBeUndefined();
  }
});

test('ports, brackets, zones and IPv4 inside IPv6 are understood', () => {
  const spell = (text: string) => parseAddress(text)?.text;
  expect(spell('192.0.2.7:51234')).toBe('192.0.2.7');
  expect(spell('[2001:DB8::1]:443')).toBe('2001:db8::1');
  expect(spell('fe80::1%eth0')).toBe('fe80::1');
  expect(spell('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(spell('64:ff9b::14ab:cf05')).toBe('20.171.207.5');
  expect(spell('64:ff9b::20.171.207.5')).toBe('20.171.207.5');
  expect(spell('1:0:0:2:0:0:0:3')).toBe('1:0:0:2::3');
  for (const text of ['::8.8.8.8', '0::8.8.8.8', '::808:808', '[::8.8.8.8]:443']) {
    expect(spell(text), text).toBe('::808:808');
  }
});

test("looking up an address agrees with Node's own block list", () => {
  fc.assert(
    fc.property(fc.array(anyPrefix, { maxLength: 30 }), fc.array(anyAddress), (nets, texts) => {
      const networks = nets.flatMap(([base, bits]) => parseNetwork(`${base}/${bits}`) ?? []);
      const set = createNetworks(networks);
      // One list a family: Node's matches IPv4 addresses against IPv6 networks too.
      const lists = { 4: new BlockList(), 6: new BlockList() };
      for (const network of networks) addTo(lists[isIpv4(network.first) ? 4 : 6], network);
      const edges = networks.flatMap(({ first, last }) => [first, last]);
      for (const address of [...edges, ...texts.flatMap((text) => parseAddress(text) ?? [])]) {
        const [list, family] = isIpv4(address)
          ? ([lists[4], 'ipv4'] as const)
          : ([lists[6], 'ipv6'] as const);
        expect(set.find(address) !== undefined, address.text).toBe(
          list.check(address.text, family),
        );
      }
    }),
  );
});

test('the widest of nested networks is found', () => {
  const texts = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.3.0.0/16'];
  const set = createNetworks(texts);
  const found = (text: string) => {
    const address = parseAddress(text);
    return address && set.find(address);
  };
  expect(found('10.1.2.3')).toBe('10.0.0.0/8');
  expect(found('10.2.0.0')).toBe('10.0.0.0/8');
  expect(found('10.255.255.255')).toBe('10.0.0.0/8');
  expect(found('11.0.0.0')).toBeUndefined();
});

test('a network is covered if each of its addresses is in one of the networks', () => {
  const lastOctets = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 16 });
  fc.assert(
    fc.property(lastOctets, fc.integer({ min: 28, max: 32 }), (octets, bits) => {
      const set = createNetworks(octets.map((octet) => `192.0.2.${octet}`));
      const size = 2 ** (32 - bits);
      const network = parseNetwork(`192.0.2.0/${bits}`);
      const isWhole = Array.from({ length: size }, (_, octet) => octet).every((octet) =>
        octets.includes(octet),
      );
      expect(network && set.covers(network)).toBe(isWhole);
    }),
  );
  const end = parseNetwork('255.255.255.254/31');
  expect(end && createNetworks(['255.255.255.255', '0.0.0.0/8', '::/16']).covers(end)).toBe(false);
});

test('private, reserved and documentation addresses are not global', () => {
  const isOfInternet = (text: string) => {
    const address = parseAddress(text);
    return address !== undefined && isGlobal(address);
  };
  for (const text of [
    '10.1.1.1',
    '192.168.0.1',
    '100.64.0.1',
    '224.0.0.1',
    '::1',
    'fc00::1',
    '2001:db8::1',
    '64:ff9b::a00:1',
    'ff02::1',
    '::',
    '127.0.0.1',
    '169.254.1.1',
    '240.0.0.1',
    '2001::1',
    '4000::1',
    '::8.8.8.8',
  ]) {
    expect(isOfInternet(text), text).toBe(false);
  }
  for (const text of ['20.171.207.1', '172.32.0.1', '2a03:2880::1', '64:ff9b::808:808']) {
    expect(isOfInternet(text), text).toBe(true);
  }
});

test('a network is spelled without its host bits', () => {
  const network = parseNetwork('192.0.2.77/24');
  expect(network?.text).toBe('192.0.2.0/24');
  const inside = ['::ffff:192.0.2.77/120', '64:ff9b::c000:24d/120'].map(parseNetwork);
  expect(inside).toEqual([network, network]);
  expect(parseNetwork('2001:db8::7')?.text).toBe('2001:db8::7/128');
  expect(parseNetwork('192.0.2.7:80')).toBeUndefined();
  expect(parseNetwork('64:ff9b::/96')).toBeUndefined();
  expect(parseNetwork('192.0.2.0/33')).toBeUndefined();
  expect(parseNetwork('192.0.2.0/24/1')).toBeUndefined();
  expect(parseNetwork('example.com/24')).toBeUndefined();
});

test('limits count IPv6 by its /64, however the address is written', () => {
  for (const text of ['2001:db8:0:7::1', '2001:DB8:0000:7:ffff::2', '2001:db8::7:0:0:0:3%eth0']) {
    expect(networkOf(text)).toBe('2001:db8:0:7::/64');
  }
  expect(networkOf('2001:db8:0:8::1')).not.toBe('2001:db8:0:7::/64');
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('not an address')).toBe('not an address');
});

function addTo(list: BlockList, { first, bits }: Network): void {
  list.addSubnet(first.text, bits, isIpv4(first) ? 'ipv4' : 'ipv6');
}
