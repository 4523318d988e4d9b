import { describe, expect, test } from 'vitest';
import { createHostNames, matches } from './host-names.ts';
import type { Resolver } from './host-names.ts';

const bot = { dns: ['crawl-*.googlebot.com', '*.search.msn.com'] };
const clock = (): number => 5;

describe('a host name', () => {
  test('a host name of the operator that has the address confirms', async () => {
    const names = hostNames({
      reverse: { '66.249.66.1': ['crawl-66-249-66-1.googlebot.com.'] },
      forward: { 'crawl-66-249-66-1.googlebot.com': ['66.249.66.1'] },
    });
    expect(await names.ask('66.249.66.1', bot)).toEqual({
      kind: 'confirmed',
      hostName: 'crawl-66-249-66-1.googlebot.com',
      askedMs: 5,
    });
  });

  test('a name that a stranger gave to an own address confirms nothing', async () => {
    const names = hostNames({
      reverse: { '45.9.148.3': ['crawl-1.googlebot.com'] },
      forward: { 'crawl-1.googlebot.com': ['66.249.66.1'] },
    });
    expect((await names.ask('45.9.148.3', bot)).kind).toBe('other');
  });

  test('an address without a host name is a result, and a DNS failure is not', async () => {
    const names = hostNames({ reverse: {}, forward: {} });
    expect((await names.ask('45.9.148.3', bot)).kind).toBe('other');
    const broken = createHostNames({ resolver: failing(), clock });
    expect((await broken.ask('45.9.148.3', bot)).kind).toBe('error');
  });
});

test('each address is looked up once, and none after eight failures in a row', async () => {
  const resolver = failing();
  const names = createHostNames({ resolver, clock });
  for (let last = 0; last < 30; last++) {
    await names.ask(`45.9.148.${last}`, bot);
    await names.ask(`45.9.148.${last}`, bot);
  }
  expect(resolver.asked()).toBe(8);
});

test('names are looked up again an hour after an outage or the limit', async () => {
  let nowMs = 5;
  let isDown = true;
  const resolver: Resolver = {
    reverse: async (address) => {
      if (isDown) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
      return [`crawl-${address}.googlebot.com`];
    },
    resolve4: async (name) => [name.slice('crawl-'.length, -'.googlebot.com'.length)],
    resolve6: async () => [],
  };
  const names = createHostNames({ resolver, clock: () => nowMs, lookupsMax: 40 });
  const kinds = async () => {
    const addresses = Array.from({ length: 50 }, (_, index) => `45.9.148.${index}`);
    const answers = await Promise.all(addresses.map((address) => names.ask(address, bot)));
    return answers.filter(({ kind }) => kind === 'confirmed').length;
  };
  expect(await kinds()).toBe(0);
  isDown = false;
  expect(await kinds()).toBe(0);
  nowMs += 3_600_000;
  expect(await kinds()).toBe(40);
  nowMs += 3_600_000;
  expect(await names.ask('45.9.148.49', bot)).toMatchObject({ kind: 'confirmed', askedMs: nowMs });
});

test('failing name servers of forgers do not stop other look-ups', async () => {
  const name = 'crawl-1.googlebot.com';
  const fail = async () => {
    throw Object.assign(new Error('no answer'), { code: 'ESERVFAIL' });
  };
  const names = createHostNames({
    resolver: {
      reverse: (address) => (address === '66.249.66.1' ? Promise.resolve([name]) : fail()),
      resolve4: async () => ['66.249.66.1'],
      resolve6: fail,
    },
    clock,
  });
  const forgers = Array.from({ length: 50 }, (_, index) => `45.9.148.${index}`);
  const answers = await Promise.all(forgers.map((address) => names.ask(address, bot)));
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['error']));
  expect(await names.ask('66.249.66.1', bot)).toMatchObject({ kind: 'confirmed' });
});

test('look-ups are limited in number, sixteen at a time', async () => {
  let underWay = 0;
  let most = 0;
  let asked = 0;
  const resolver: Resolver = {
    reverse: async () => {
      asked++;
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      underWay--;
      return ['x.example.net'];
    },
    resolve4: async () => [],
    resolve6: async () => [],
  };
  const names = createHostNames({ resolver, clock, lookupsMax: 40 });
  const addresses = Array.from({ length: 60 }, (_, index) => `45.9.148.${index}`);
  const answers = await Promise.all(addresses.map((address) => names.ask(address, bot)));
  expect(asked).toBe(40);
  expect(most).toBe(16);
  expect(answers.filter(({ kind }) => kind === 'error')).toHaveLength(20);
});

test('a pattern matches the whole name', () => {
  expect(matches('crawl-1.googlebot.com', 'crawl-*.googlebot.com')).toBe(true);
  expect(matches('crawl-1.googlebot.com.evil.example', 'crawl-*.googlebot.com')).toBe(false);
  expect(matches('evilgooglebot.com', '*.googlebot.com')).toBe(false);
  expect(matches('.search.msn.com', '*.search.msn.com')).toBe(false);
});

function hostNames({
  reverse,
  forward,
}: {
  reverse: Readonly<Record<string, string[]>>;
  forward: Readonly<Record<string, string[]>>;
}) {
  const find = async (names: Readonly<Record<string, string[]>>, name: string) => {
    const found = names[name];
    if (found === undefined) throw Object.assign(new Error('absent'), { code: 'ENOTFOUND' });
    return found;
  };
  return createHostNames({
    resolver: {
      reverse: (address) => find(reverse, address),
      resolve4: (name) => find(forward, name),
      resolve6: (name) => find(forward, name),
    },
    clock,
  });
}

function failing(): Resolver & { asked: () => number } {
  let asked = 0;
  const fail = async (): Promise<string[]> => {
    asked++;
    throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
  };
  return { reverse: fail, resolve4: fail, resolve6: fail, asked: () => asked };
}
