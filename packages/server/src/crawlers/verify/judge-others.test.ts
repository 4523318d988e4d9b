import { describe, expect, test } from 'vitest';
import {
  crawlerNetwork,
  day,
  findBot,
  inside,
  judgeBot,
  lists,
  naming,
  noon,
  outside,
  reasonOf,
  version,
} from '../../../test/logs/judging.ts';
import { parseAddress } from '../../values/addresses/address.ts';
import { bots } from '../bots/catalogue.ts';
import { judge, wantsDns } from './judge.ts';
import type { Claim, DnsResult } from './judge.ts';

describe('a bot whose operator names its addresses', () => {
  const common = { 'google/common-crawlers': [version(-1, 1, '66.249.64.0/19')] };
  const wrong: DnsResult = { kind: 'other', hostName: 'x.example.net', askedMs: noon };
  const right: DnsResult = { kind: 'confirmed', hostName: 'crawl-1.googlebot.com', askedMs: noon };

  test('a bot with host names is confirmed or refuted by them', () => {
    expect(judgeBot('Googlebot', outside, lists({}), { dns: right }).evidence).toEqual({
      reason: 'host_name',
      host_name: 'crawl-1.googlebot.com',
      asked_at: '2026-11-20T12:00:00.000Z',
    });
    expect(reasonOf('Googlebot', outside, lists({}), { dns: wrong })).toBe('wrong_host_name');
    expect(reasonOf('Googlebot', outside, lists(common), { dns: wrong })).toBe('wrong_host_name');
  });

  test.each([
    ['is off', undefined],
    ['fails', { kind: 'error' } as const],
    ['is asked long after', { ...wrong, askedMs: noon + 31 * day }],
  ])('a bot at a new address is in doubt while DNS %s', (_how, dns) => {
    for (const token of ['Googlebot', 'GoogleOther']) {
      expect(judgeBot(token, outside, lists(common), { dns })).toMatchObject({
        verification: 'unverified',
        evidence: { reason: 'dns_pending' },
      });
    }
  });

  test('a bot with any host name waits for the next list, which may refute it', () => {
    const before = { 'google/common-crawlers': [version(-2, -1, '66.249.64.0/19')] };
    expect(reasonOf('Googlebot', outside, lists(before), { dns: wrong })).toBe('list_pending');
  });

  test('an address in one of two lists is not refuted', () => {
    const torn = lists({
      'google/common-crawlers': [
        version(-20, -5, '52.230.152.0/24'),
        version(2, 9, '66.249.64.0/19'),
      ],
    });
    expect(reasonOf('Googlebot', '52.230.152.9', torn, { dns: wrong })).toBe('lists_disagree');
  });

  test('a fetcher that a person sets off is refuted only by every means', () => {
    const id = 'google/user-triggered-fetchers-google';
    const near = lists({ [id]: [version(-1, 1, '66.102.0.0/20')] });
    expect(reasonOf('Google-Read-Aloud', outside, near, { dns: wrong })).toBe('wrong_host_name');
    expect(reasonOf('Google-Read-Aloud', outside, lists({}), { dns: wrong })).toBe('no_list');
  });

  test('a bot behind a listed proxy may be confirmed but not refuted', () => {
    const proxy = lists({ 'proxy/cdn': [version(0, 0, '45.9.148.0/24')] });
    expect(judgeBot('Googlebot', outside, proxy, { dns: right }).verification).toBe('verified');
    expect(reasonOf('Googlebot', outside, proxy, { dns: wrong })).toBe('proxy_address');
  });

  test('a host name is looked up only while it can decide', () => {
    const claim = (token: string, nowMs = noon): Claim => ({
      bot: findBot(token),
      address: parseAddress(outside) ?? null,
      atMs: noon,
      nowMs,
    });
    const wants = (asked: Claim) => wantsDns(asked, judge(asked, lists(common)));
    expect(wants(claim('Googlebot'))).toBe(true);
    expect(wants(claim('Googlebot', noon + 31 * day))).toBe(false);
    expect(wants(claim('GPTBot'))).toBe(false);
  });
});

describe('an address of the operator’s other network', () => {
  test.each([
    [
      'GPTBot',
      'openai/gptbot',
      { 'openai/chatgpt-user': [version(-1, 1, '45.9.148.0/24')] },
      outside,
    ],
    [
      'Perplexity-User',
      'perplexity/perplexity-user',
      { 'perplexity/perplexitybot': [version(-1, 1, '45.9.148.0/24')] },
      outside,
    ],
    ['Claude-SearchBot', 'anthropic/bots', {}, '160.79.105.9'],
    [
      'Google-GeminiNotebook',
      'google/user-triggered-fetchers-google',
      { 'google/user-triggered-fetchers': [version(-1, 1, '45.9.148.0/24')] },
      outside,
    ],
  ])(
    'an operator’s other network neither verifies nor accuses %s',
    (token, own, others, address) => {
      const ranges = lists({ [own]: [version(-1, 1, crawlerNetwork)], ...others });
      expect(judgeBot(token, address, ranges)).toMatchObject({
        verification: 'unverified',
        evidence: { reason: 'operators_other_network' },
      });
    },
  );

  test('the network of another operator excuses nobody', () => {
    const ranges = lists({
      'openai/gptbot': [version(-1, 1, crawlerNetwork)],
      'perplexity/perplexitybot': [version(-1, 1, '45.9.148.0/24')],
    });
    expect(judgeBot('GPTBot', outside, ranges).verification).toBe('spoofed');
  });
});

test('host names of Google’s cloud verify no bot', () => {
  expect(bots.flatMap(({ dns }) => dns).filter((name) => name.includes('gae'))).toEqual([]);
  const used = bots.flatMap((bot) => bot.lists);
  expect(used).not.toContain('google/user-triggered-fetchers');
});

describe('through a proxy', () => {
  const files = { 'openai/gptbot': [version(-1, 1, crawlerNetwork)] };

  test('nobody behind a proxy of a list of any time is accused', () => {
    const listed = { ...files, 'proxy/cdn': [version(-400, -400, '45.9.148.0/24')] };
    expect(judgeBot('GPTBot', outside, lists(listed))).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'proxy_address', list: 'proxy/cdn' },
    });
    const google = judgeBot('GPTBot', '35.191.7.7', lists(files)).evidence;
    expect(google).toMatchObject({ reason: 'proxy_address', list: 'proxy/google-load-balancer' });
  });

  test.each([
    ['2a00:1234::14ab:cf05', '2a00:1234::/96'],
    ['2a00:1234:5:6:14:abcf:500::', '2a00:1234:5:6::/64'],
    ['2a00:1234:5:614:ab:cf05::', '2a00:1234:5:600::/56'],
    ['2a00:1234:5:14ab:cf:500::', '2a00:1234:5::/48'],
    ['2a00:1234:14:abcf:5::', '2a00:1234::/40'],
    ['2a00:1234:14ab:cf05::', '2a00:1234::/32'],
  ])('%s holds a listed IPv4 address, so it may be a translator’s: %s', (address, prefix) => {
    const both = lists({ 'openai/gptbot': [version(-1, 1, crawlerNetwork, '2600:1f00::/32')] });
    expect(judgeBot('GPTBot', address, both)).toEqual({
      verification: 'unverified',
      evidence: {
        reason: 'proxy_address',
        detail: expect.stringMatching(new RegExp(`20\\.171\\.207\\.5,.*--nat64 ${prefix}$`)),
      },
    });
    expect(judgeBot('GPTBot', '2a00:1234::2d09:9403', both).verification).toBe('spoofed');
  });

  test('an untrusted X-Forwarded-For prevents spoofed only if a list has its client, or the next list may have it', () => {
    const named = (address: string, more: Partial<Claim> = {}) =>
      reasonOf('GPTBot', outside, lists(files), { ...naming(address), ...more });
    expect(named(inside)).toBe('proxy_address');
    expect(named('8.8.8.8')).toBe('not_in_list');
    expect(named('10.0.0.1')).toBe('not_in_list');
    const before = lists({ 'openai/gptbot': [version(-3, -2, crawlerNetwork)] });
    expect(reasonOf('GPTBot', outside, before, naming(inside))).toBe('proxy_address');
    expect(reasonOf('GPTBot', outside, before, naming('8.8.8.8'))).toBe('list_pending');
  });

  test('an untrusted X-Forwarded-For prevents spoofed if the host name of its client confirms the crawler', () => {
    const common = lists({ 'google/common-crawlers': [version(-1, 1, '66.249.64.0/19')] });
    const wrong: DnsResult = { kind: 'other', hostName: null, askedMs: noon };
    const right: DnsResult = {
      kind: 'confirmed',
      hostName: 'crawl-1.googlebot.com',
      askedMs: noon,
    };
    const reason = (dns: DnsResult | undefined) =>
      reasonOf('Googlebot', outside, common, {
        dns: wrong,
        otherClients: naming('8.8.8.8').otherClients.map((client) => ({ ...client, dns })),
      });
    expect([right, wrong, undefined].map(reason)).toEqual([
      'proxy_address',
      'wrong_host_name',
      'wrong_host_name',
    ]);
  });
});

describe('an address that was masked for privacy', () => {
  const listed = {
    'openai/gptbot': [version(-1, 1, '20.171.206.0/28', crawlerNetwork, '2001:4860:1::/48')],
    'google/common-crawlers': [version(-1, 1, '66.249.64.0/27')],
    'anthropic/bots': [version(-1, 1, '216.73.216.0/22')],
  };

  test.each([
    // Any of the 256 addresses may have sent the request, and the operator has 16 of them.
    ['GPTBot', '20.171.206.0'],
    ['GPTBot', '45.9.148.0'],
    ['GPTBot', '45.9.255.255'],
    ['GPTBot', '20.171.1.1'],
    ['GPTBot', '2001:4860::'],
    ['GPTBot', '2001:db9:1:2::'],
  ])('%s is neither verified nor spoofed at %s', (bot, address) => {
    expect(judgeBot(bot, address, lists(listed))).toEqual({
      verification: 'unverified',
      evidence: { reason: 'masked_address' },
    });
  });

  test('a masked address is verified if the operator publishes every address that it may stand for', () => {
    for (const address of [
      '20.171.207.0',
      '20.171.207.1',
      '20.171.207.255',
      '2001:4860:1:2::',
      '2001:4860:1::',
    ]) {
      expect(reasonOf('GPTBot', address, lists(listed))).toBe('in_list');
    }
    expect(reasonOf('ClaudeBot', '216.73.217.0', lists(listed))).toBe('in_list');
  });

  test('a masked address is verified if networks side by side have every address that it may stand for', () => {
    const tiles = Array.from({ length: 8 }, (_, place) => `66.249.66.${32 * place}/27`);
    const reason = (networks: readonly string[]) =>
      reasonOf(
        'Googlebot',
        '66.249.66.1',
        lists({ 'google/common-crawlers': [version(-1, 1, ...networks)] }),
      );
    expect(reason(tiles)).toBe('in_list');
    for (const place of tiles.keys()) expect(reason(tiles.toSpliced(place, 1))).not.toBe('in_list');
  });

  test('no host name is proof for or against it, and none is looked up', () => {
    const claim = { bot: findBot('Googlebot'), atMs: noon, nowMs: noon };
    const address = parseAddress('66.249.64.0') ?? null;
    const masked = { ...claim, address };
    expect(wantsDns(masked, judge(masked, lists(listed)))).toBe(false);
    for (const kind of ['confirmed', 'other'] as const) {
      const dns = { kind, hostName: 'crawl-66-249-64-0.googlebot.com', askedMs: noon };
      expect(judge({ ...masked, dns }, lists(listed)).evidence.reason).toBe('masked_address');
    }
  });

  test('a masked address waits for a list as any other address does', () => {
    expect(reasonOf('GPTBot', '45.9.148.0', lists({}))).toBe('no_list');
    const before = lists({ 'openai/gptbot': [version(-3, -2, crawlerNetwork)] });
    expect(reasonOf('GPTBot', '45.9.148.0', before)).toBe('list_pending');
    expect(reasonOf('Bytespider', '45.9.148.0', lists(listed))).toBe('no_published_means');
  });
});
