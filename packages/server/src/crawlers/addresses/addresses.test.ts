import fc from 'fast-check';
import { BlockList, isIP } from 'node:net';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from './address.ts';
import { isGlobalAddress } from './global.ts';
import { firstAddress, formatPrefix, lastAddress, parsePrefix } from './prefix.ts';
import type { Prefix } from './prefix.ts';
import { createRangeSet } from './range-set.ts';

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
      const spelling = formatAddress(address);
      expect(isIP(spelling)).not.toBe(0);
      expect(parseAddress(spelling)).toEqual(address);
    }),
  );
});

test('what is no address is not read as one', () => {
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
  const spell = (text: string) => {
    const address = parseAddress(text);
    return address === undefined ? undefined : formatAddress(address);
  };
  expect(spell('192.0.2.7:51234')).toBe('192.0.2.7');
  expect(spell('[2001:DB8::1]:443')).toBe('2001:db8::1');
  expect(spell('fe80::1%eth0')).toBe('fe80::1');
  expect(spell('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(spell('64:ff9b::14ab:cf05')).toBe('20.171.207.5');
  expect(spell('64:ff9b::20.171.207.5')).toBe('20.171.207.5');
  expect(spell('1:0:0:2:0:0:0:3')).toBe('1:0:0:2::3');
});

test("looking up an address agrees with Node's own block list", () => {
  fc.assert(
    fc.property(fc.array(anyPrefix, { maxLength: 30 }), fc.array(anyAddress), (nets, texts) => {
      const prefixes = nets.flatMap(([base, bits]) => parsePrefix(`${base}/${bits}`) ?? []);
      const set = createRangeSet(prefixes);
      // One list a family: Node's matches IPv4 addresses against IPv6 networks too.
      const lists = { 4: new BlockList(), 6: new BlockList() };
      for (const prefix of prefixes) addTo(lists[prefix.address.family], prefix);
      const edges = prefixes.flatMap((prefix) => [firstAddress(prefix), lastAddress(prefix)]);
      for (const address of [...edges, ...texts.flatMap((text) => parseAddress(text) ?? [])]) {
        const text = formatAddress(address);
        const isListed = lists[address.family].check(text, address.family === 4 ? 'ipv4' : 'ipv6');
        expect(set.find(address) !== -1, text).toBe(isListed);
      }
    }),
  );
});

test('of nested networks the narrowest is found', () => {
  const texts = ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.3.0.0/16'];
  const set = createRangeSet(texts.flatMap((text) => parsePrefix(text) ?? []));
  const found = (text: string) => {
    const address = parseAddress(text);
    return address === undefined ? undefined : texts[set.find(address)];
  };
  expect(found('10.1.2.3')).toBe('10.1.2.0/24');
  expect(found('10.1.3.3')).toBe('10.1.0.0/16');
  expect(found('10.2.0.0')).toBe('10.0.0.0/8');
  expect(found('10.3.0.0')).toBe('10.3.0.0/16');
  expect(found('11.0.0.0')).toBeUndefined();
});

test('private, reserved and documentation addresses are not global', () => {
  const isGlobal = (text: string) => {
    const address = parseAddress(text);
    return address !== undefined && isGlobalAddress(address);
  };
  for (const text of [
    '10.1.1.1',
    '172.31.0.1',
    '192.168.0.1',
    '100.64.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '::1',
    'fc00::1',
    'fe80::1',
    '2001:db8::1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    'ff02::1',
    '::',
  ]) {
    expect(isGlobal(text), text).toBe(false);
  }
  for (const text of [
    '20.171.207.1',
    '8.8.8.8',
    '172.32.0.1',
    '2a03:2880::1',
    '2600::1',
    '64:ff9b::808:808',
  ]) {
    expect(isGlobal(text), text).toBe(true);
  }
});

test('a network is spelled without its host bits', () => {
  const prefix = parsePrefix('192.0.2.77/24');
  expect(prefix === undefined ? '' : formatPrefix(prefix)).toBe('192.0.2.0/24');
  const inside = ['::ffff:192.0.2.77/120', '64:ff9b::c000:24d/120'].map(parsePrefix);
  expect(inside).toEqual([prefix, prefix]);
  expect(parsePrefix('64:ff9b::/96')).toBeUndefined();
  expect(parsePrefix('192.0.2.0/33')).toBeUndefined();
  expect(parsePrefix('192.0.2.0/24/1')).toBeUndefined();
  expect(parsePrefix('example.com/24')).toBeUndefined();
});

function addTo(list: BlockList, prefix: Prefix): void {
  const text = formatAddress(prefix.address);
  list.addSubnet(text, prefix.bits, prefix.address.family === 4 ? 'ipv4' : 'ipv6');
}
