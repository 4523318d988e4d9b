import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bots } from '../bots/catalogue.ts';
import type { Bot } from '../bots/catalogue.ts';
import { createRangeEvidence } from '../ranges/evidence.ts';
import type { FileVersion } from '../ranges/operator-files.ts';
import { judge } from './judge.ts';
import type { Claim, DnsAnswer } from './judge.ts';

const day = 86_400_000;
const noon = Date.parse('2026-11-20T12:00:00.000Z');
const inside = '20.171.207.5';
const outside = '45.9.148.3';

describe('a claim by published ranges', () => {
  const ranges = evidence({ 'openai/gptbot': [version(-1, 1, '20.171.207.0/24')] });

  test('is verified inside of the list and spoofed outside of it', () => {
    expect(judgeBot('GPTBot', inside, ranges)).toMatchObject({
      verification: 'verified',
      evidence: { reason: 'in_list', list: 'openai/gptbot', prefix: '20.171.207.0/24' },
    });
    expect(judgeBot('GPTBot', outside, ranges)).toMatchObject({
      verification: 'spoofed',
      evidence: { reason: 'not_in_list', list: 'openai/gptbot' },
    });
  });

  test.each([
    [null, 'no_ip'],
    ['nonsense', 'no_ip'],
    ['10.0.0.7', 'private_ip'],
    ['203.0.113.9', 'private_ip'],
    ['fe80::1', 'private_ip'],
  ])('from %s is never spoofed: %s', (address, reason) => {
    expect(judgeBot('GPTBot', address, ranges)).toMatchObject({
      verification: 'unverified',
      evidence: { reason },
    });
  });

  test('without any list is not judged', () => {
    expect(judgeBot('GPTBot', outside, evidence({}))).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'no_list' },
    });
  });

  test('of a bot whose operator publishes nothing is not judged', () => {
    expect(judgeBot('Bytespider', outside, ranges).evidence.reason).toBe('no_published_means');
  });

  test('through a listed proxy is not judged', () => {
    const files = {
      'openai/gptbot': [version(-1, 1, '20.171.207.0/24')],
      'proxy/cdn': [version(-400, -400, '45.9.148.0/24')],
    };
    expect(judgeBot('GPTBot', outside, evidence(files))).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'proxy_ip', list: 'proxy/cdn' },
    });
  });

  test('that the means cannot refute is not spoofed', () => {
    const files = { 'anthropic/bots': [version(-1, 1, '216.73.216.0/22')] };
    expect(judgeBot('Claude-User', outside, evidence(files)).evidence.reason).toBe(
      'not_authoritative',
    );
    expect(judgeBot('ClaudeBot', outside, evidence(files)).verification).toBe('spoofed');
  });

  test('needs every list of the bot to be refuted', () => {
    const one = { 'google/user-triggered-fetchers': [version(-1, 1, '66.249.0.0/20')] };
    expect(judgeBot('Google-Read-Aloud', outside, evidence(one)).evidence.reason).toBe('no_list');
    const both = {
      ...one,
      'google/user-triggered-fetchers-google': [version(-1, 1, '66.102.0.0/20')],
    };
    expect(judgeBot('Google-Read-Aloud', outside, evidence(both)).verification).toBe('spoofed');
  });
});

describe('the list nearest in time', () => {
  test.each([
    ['GPTBot', 'openai/gptbot', 30],
    ['ChatGPT-User', 'openai/chatgpt-user', 7],
  ])('says nothing against %s beyond its days', (token, list, days) => {
    for (const side of [-1, 1]) {
      const at = (distance: number) =>
        evidence({ [list]: [version(side * distance, side * distance, '20.171.207.0/24')] });
      expect(judgeBot(token, outside, at(days)).verification).toBe('spoofed');
      expect(judgeBot(token, outside, at(days + 0.01)).evidence.reason).toBe('stale_list');
      expect(judgeBot(token, inside, at(days + 300)).verification).toBe('verified');
    }
  });

  test('decides, and not a newer one', () => {
    const ranges = evidence({
      'openai/gptbot': [version(-2, 1, '20.171.207.0/24'), version(2, 9, '52.230.152.0/24')],
    });
    expect(judgeBot('GPTBot', inside, ranges).verification).toBe('verified');
    expect(judgeBot('GPTBot', '52.230.152.9', ranges).verification).toBe('spoofed');
  });

  test('calls nobody a forger where the list changed around the request', () => {
    const ranges = evidence({
      'openai/gptbot': [version(-20, -5, '52.230.152.0/24'), version(2, 9, '20.171.207.0/24')],
    });
    expect(judgeBot('GPTBot', '52.230.152.9', ranges)).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'lists_disagree' },
    });
    expect(judgeBot('GPTBot', outside, ranges).verification).toBe('spoofed');
  });
});

describe('a host name', () => {
  const nothing = evidence({});
  const wrong: DnsAnswer = { kind: 'other', hostName: 'x.example.net', askedMs: noon };

  test('confirms or refutes where the operator documents it', () => {
    const confirmed: DnsAnswer = {
      kind: 'confirmed',
      hostName: 'crawl-1.googlebot.com',
      askedMs: noon,
    };
    expect(judgeBot('Googlebot', outside, nothing, { dns: confirmed }).evidence).toEqual({
      reason: 'host_name',
      host_name: 'crawl-1.googlebot.com',
      asked_at: '2026-11-20T12:00:00.000Z',
    });
    expect(judgeBot('Googlebot', outside, nothing, { dns: wrong }).evidence.reason).toBe(
      'wrong_host_name',
    );
  });

  test('that was looked up long after the request refutes nothing', () => {
    const late: DnsAnswer = { ...wrong, askedMs: noon + 31 * day };
    expect(judgeBot('Googlebot', outside, nothing, { dns: late }).verification).toBe('unverified');
  });

  test('refutes nobody whom one of two lists has, nor whom a person set off and no list refutes', () => {
    const torn = evidence({
      'google/common-crawlers': [
        version(-20, -5, '52.230.152.0/24'),
        version(2, 9, '20.171.207.0/24'),
      ],
    });
    expect(judgeBot('Googlebot', '52.230.152.9', torn, { dns: wrong })).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'lists_disagree' },
    });
    const token = 'Google-Read-Aloud';
    const lists = (first: number) =>
      evidence({
        'google/user-triggered-fetchers': [version(first, first, '66.249.0.0/20')],
        'google/user-triggered-fetchers-google': [version(first, first, '66.102.0.0/20')],
      });
    expect(judgeBot(token, outside, lists(-20), { dns: wrong }).evidence.reason).toBe('stale_list');
    expect(judgeBot(token, outside, nothing, { dns: wrong }).evidence.reason).toBe('no_list');
    expect(judgeBot(token, outside, lists(-5), { dns: wrong }).verification).toBe('spoofed');
  });

  test('proves a claim through a listed proxy', () => {
    const proxy = evidence({ 'proxy/cdn': [version(0, 0, '45.9.148.0/24')] });
    const dns: DnsAnswer = { kind: 'confirmed', hostName: 'crawl-1.googlebot.com', askedMs: noon };
    expect(judgeBot('Googlebot', outside, proxy, { dns }).verification).toBe('verified');
    expect(judgeBot('Googlebot', outside, proxy, { dns: wrong }).evidence.reason).toBe('proxy_ip');
  });

  test('that could not be looked up refutes nothing', () => {
    expect(
      judgeBot('Googlebot', outside, nothing, { dns: { kind: 'error' } }).evidence.reason,
    ).toBe('dns_error');
  });
});

test('a signature that is not valid neither shields a forger nor makes one', () => {
  const signature = { kind: 'invalid', detail: 'it is not over this request' } as const;
  const list = 'google/user-triggered-agents';
  const near = evidence({ [list]: [version(-1, 1, '66.249.0.0/20')] });
  expect(judgeBot('Google-Agent', outside, near, { signature }).evidence.reason).toBe(
    'not_in_list',
  );
  const far = evidence({ [list]: [version(-99, -98, '66.249.0.0/20')] });
  expect(judgeBot('Google-Agent', outside, far, { signature })).toMatchObject({
    verification: 'unverified',
    evidence: { reason: 'signature_invalid', detail: signature.detail },
  });
});

test('a list of a workspace’s own is near for as long as others of the bot’s category', () => {
  const own = { ...findBot('ChatGPT-User'), token: 'AcmeFetch', lists: ['acme/fetch'] };
  const ranges = evidence({ 'acme/fetch': [version(-8, -8, '66.249.0.0/20')] });
  const reason = (category: Bot['category']) =>
    judge({ bot: { ...own, category }, address: outside, atMs: noon }, ranges).evidence.reason;
  expect(reason('user')).toBe('stale_list');
  expect(reason('crawler')).toBe('not_in_list');
});

test('a token that is never sent is spoofed whatever else is known', () => {
  for (const address of [null, '10.0.0.1', inside]) {
    expect(judgeBot('Google-Extended', address, evidence({})).evidence.reason).toBe('never_sent');
  }
});

const anyBot = fc.constantFrom(...bots);
const anyFiles = fc.dictionary(
  fc.constantFrom(...new Set(bots.flatMap(({ lists }) => lists)), 'proxy/cdn'),
  fc.array(
    fc.tuple(
      fc.integer({ min: -90, max: 90 }),
      fc.integer({ min: 0, max: 40 }),
      fc.array(fc.tuple(fc.ipV4(), fc.integer({ min: 8, max: 32 })), {
        minLength: 1,
        maxLength: 4,
      }),
    ),
    { maxLength: 4 },
  ),
);

test('nothing is spoofed without an authoritative means that fails near in time', () => {
  fc.assert(
    fc.property(
      anyBot,
      fc.option(fc.oneof(fc.ipV4(), fc.ipV6())),
      anyFiles,
      (bot, address, files) => {
        const ranges = evidence(
          Object.fromEntries(
            Object.entries(files).map(([id, versions]) => [
              id,
              versions.map(([first, length, nets]) =>
                version(first, first + length, ...nets.map(([base, bits]) => `${base}/${bits}`)),
              ),
            ]),
          ),
        );
        const { verification, evidence: found } = judge({ bot, address, atMs: noon }, ranges);
        if (verification !== 'spoofed' || bot.isNeverSent) return;
        expect(bot.isAuthoritative).toBe(true);
        expect(found.list).toBeDefined();
        const distance = Math.max(
          Date.parse(found.list_first_at ?? '') - noon,
          noon - Date.parse(found.list_last_at ?? ''),
        );
        expect(distance).toBeLessThanOrEqual(30 * day);
      },
    ),
    { numRuns: 1000 },
  );
});

function judgeBot(
  token: string,
  address: string | null,
  ranges: ReturnType<typeof evidence>,
  more: Partial<Claim> = {},
) {
  return judge({ bot: findBot(token), address, atMs: noon, ...more }, ranges);
}

function findBot(token: string): Bot {
  const found = bots.find((bot) => bot.token === token);
  if (found === undefined) throw new Error(`There is no bot ${token}`);
  return found;
}

function evidence(files: Readonly<Record<string, readonly FileVersion[]>>) {
  return createRangeEvidence(new Map(Object.entries(files)));
}

/** A list that held for some days around noon of the day. */
function version(firstDay: number, lastDay: number, ...prefixes: string[]): FileVersion {
  return {
    firstMs: noon + firstDay * day,
    lastMs: noon + lastDay * day,
    content: JSON.stringify(prefixes),
  };
}
