import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import {
  crawlerNetwork,
  day,
  findBot,
  inside,
  judgeBot,
  lists,
  noon,
  outside,
  reasonOf,
  version,
} from '../../../test/logs/judging.ts';
import { bots } from '../bots/catalogue.ts';
import type { Bot } from '../bots/catalogue.ts';

describe('a claim by a list that was in force at the time', () => {
  const ranges = lists({ 'openai/gptbot': [version(-1, 1, crawlerNetwork)] });

  test('a claim is verified inside the list in force and spoofed outside it', () => {
    expect(judgeBot('GPTBot', inside, ranges)).toMatchObject({
      verification: 'verified',
      evidence: { reason: 'in_list', list: 'openai/gptbot', prefix: crawlerNetwork },
    });
    expect(judgeBot('GPTBot', outside, ranges)).toMatchObject({
      verification: 'spoofed',
      evidence: { reason: 'not_in_list', list: 'openai/gptbot' },
    });
  });

  test.each([
    [null, 'no_address'],
    ['nonsense', 'no_address'],
    ['10.0.0.7', 'private_address'],
    ['203.0.113.9', 'private_address'],
    ['fe80::1', 'private_address'],
  ])('a claim from %s is in doubt: %s', (address, reason) => {
    expect(judgeBot('GPTBot', address, ranges)).toMatchObject({
      verification: 'unverified',
      evidence: { reason },
    });
  });

  test('a claim to be a bot whose operator publishes nothing is in doubt', () => {
    expect(reasonOf('Bytespider', outside, ranges)).toBe('no_published_means');
  });

  test('a claim is in doubt if the list is not complete', () => {
    const files = { 'anthropic/bots': [version(-1, 1, '216.73.216.0/22')] };
    expect(reasonOf('Claude-User', outside, lists(files))).toBe('not_authoritative');
    expect(reasonOf('ClaudeBot', outside, lists(files))).toBe('not_in_list');
  });

  test.each([
    ['in force', [version(-1, 1, crawlerNetwork)]],
    ['before and after', [version(-2, -1, crawlerNetwork), version(1, 2, crawlerNetwork)]],
    ['before, with IPv6 only later', [version(-2, -1, crawlerNetwork), version(1, 2, '2600::/32')]],
  ])('a claim from IPv6 is in doubt by a list without IPv6: %s', (_when, versions) => {
    const family = lists({ 'openai/gptbot': versions });
    expect(judgeBot('GPTBot', '2a01:4f8::9', family)).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'other_family', list: 'openai/gptbot' },
    });
  });

  test('a claim from either family is refuted by a list with both', () => {
    const both = lists({ 'openai/gptbot': [version(-1, 1, crawlerNetwork, '2600:1f00::/32')] });
    for (const address of ['2a01:4f8::9', outside]) {
      expect(judgeBot('GPTBot', address, both).verification).toBe('spoofed');
    }
    const ipv6 = lists({ 'openai/gptbot': [version(-1, 1, '2600:1f00::/32')] });
    expect(reasonOf('GPTBot', outside, ipv6)).toBe('other_family');
  });

  test('a claim is in doubt without any list', () => {
    expect(reasonOf('GPTBot', outside, lists({}))).toBe('no_list');
  });
});

describe('a list of another time accuses nobody by itself', () => {
  test.each([
    ['GPTBot', 'openai/gptbot', 30],
    ['ChatGPT-User', 'openai/chatgpt-user', 7],
  ])(
    '%s waits for the next list for as many days as a list says something',
    (token, list, days) => {
      const before = lists({ [list]: [version(-2, -1, crawlerNetwork)] });
      const reasonAt = (later: number) =>
        judgeBot(token, outside, before, { nowMs: noon + later * day }).evidence.reason;
      expect([0, days, days + 0.01].map(reasonAt)).toEqual([
        'list_pending',
        'list_pending',
        'list_too_old',
      ]);
    },
  );

  test.each([
    ['GPTBot', 'openai/gptbot', 30],
    ['ChatGPT-User', 'openai/chatgpt-user', 7],
  ])('%s is accused only by a list before and one after, both near', (token, list, days) => {
    const both = (before: number, after: number) =>
      judgeBot(
        token,
        outside,
        lists({
          [list]: [version(before, before, '1.1.1.0/24'), version(after, after, crawlerNetwork)],
        }),
        { nowMs: noon + 400 * day },
      );
    expect(both(-days, days).verification).toBe('spoofed');
    expect(both(-days, days + 0.01).evidence.reason).toBe('list_too_old');
    expect(both(-days - 0.01, days).evidence.reason).toBe('no_earlier_list');
  });

  test.each([
    ['GPTBot', 'openai/gptbot', 30],
    ['ChatGPT-User', 'openai/chatgpt-user', 7],
  ])('%s is verified only by a list that is near', (token, list, days) => {
    for (const side of [-1, 1]) {
      const at = (distance: number) =>
        lists({ [list]: [version(side * distance, side * distance, crawlerNetwork)] });
      expect(judgeBot(token, inside, at(days)).verification).toBe('verified');
      const far = judgeBot(token, inside, at(days + 0.01), { nowMs: noon + 400 * day });
      expect(far).toMatchObject({
        verification: 'unverified',
        evidence: { reason: 'list_too_old' },
      });
    }
  });

  test('a hit from before the first list stays in doubt', () => {
    const after = lists({ 'openai/gptbot': [version(5, 9, crawlerNetwork)] });
    expect(judgeBot('GPTBot', outside, after, { nowMs: noon + 9 * day })).toMatchObject({
      verification: 'unverified',
      evidence: { reason: 'no_earlier_list' },
    });
  });

  test('a list that changed about the time of the request leaves the claim in doubt', () => {
    const changed = lists({
      'openai/gptbot': [version(-20, -5, '52.230.152.0/24'), version(2, 9, crawlerNetwork)],
    });
    expect(reasonOf('GPTBot', '52.230.152.9', changed)).toBe('lists_disagree');
    expect(reasonOf('GPTBot', inside, changed)).toBe('in_list');
    expect(reasonOf('GPTBot', outside, changed)).toBe('not_in_list');
  });

  test('a later list that has the address excuses it against the one in force', () => {
    const lagging = lists({
      'openai/gptbot': [version(-1, 1, '52.230.152.0/24'), version(2, 2, crawlerNetwork)],
    });
    expect(reasonOf('GPTBot', inside, lagging)).toBe('lists_disagree');
    const dropped = lists({
      'openai/gptbot': [version(-3, -2, crawlerNetwork), version(-1, 1, '52.230.152.0/24')],
    });
    expect(reasonOf('GPTBot', inside, dropped)).toBe('not_in_list');
  });
});

test('a signature that is not valid neither shields a forger nor makes one', () => {
  const signature = { kind: 'invalid', detail: 'it is not over this request' } as const;
  const signed = { ...findBot('GPTBot'), agent: 'agent.example' };
  const judged = (first: number, last: number) =>
    judgeBot(signed, outside, lists({ 'openai/gptbot': [version(first, last, crawlerNetwork)] }), {
      signature,
    }).evidence;
  expect(judged(-1, 1).reason).toBe('not_in_list');
  expect(judged(-99, -98)).toMatchObject({ reason: 'signature_invalid', detail: signature.detail });
});

test('a workspace’s own list is too old after the days of its bot’s category', () => {
  const own = { ...findBot('ChatGPT-User'), token: 'AcmeFetch', lists: ['acme/fetch'] };
  const ranges = lists({ 'acme/fetch': [version(-8, -8, crawlerNetwork)] });
  const verdict = (category: Bot['category']) =>
    judgeBot({ ...own, category, company: 'Acme' }, inside, ranges, { nowMs: noon + 40 * day });
  expect(verdict('user').evidence.reason).toBe('list_too_old');
  expect(verdict('crawler').evidence.reason).toBe('in_list');
});

test('a token that is never sent is spoofed whatever else is known', () => {
  for (const address of [null, '10.0.0.1', inside]) {
    expect(reasonOf('Google-Extended', address, lists({}))).toBe('never_sent');
  }
});

const anyFiles = fc.dictionary(
  fc.constantFrom(...new Set(bots.flatMap((bot) => bot.lists)), 'proxy/cdn'),
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

test('nobody is spoofed without a complete list that was in force, or one on each side', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...bots),
      fc.option(fc.oneof(fc.ipV4(), fc.ipV6())),
      anyFiles,
      (bot, address, files) => {
        const kept = Object.fromEntries(
          Object.entries(files).map(([id, versions]) => [
            id,
            versions.map(([first, length, nets]) =>
              version(first, first + length, ...nets.map(([base, bits]) => `${base}/${bits}`)),
            ),
          ]),
        );
        const nowMs = noon + 200 * day;
        const { verification } = judgeBot(bot, address, lists(kept), { nowMs });
        if (verification !== 'spoofed' || bot.isNeverSent) return;
        expect(bot.isAuthoritative && bot.dns.length === 0).toBe(true);
        for (const id of bot.lists) {
          const versions = kept[id] ?? [];
          const isBefore = versions.some(({ firstMs }) => firstMs <= noon);
          const isAfter = versions.some(({ lastMs }) => lastMs >= noon);
          expect([isBefore, isAfter]).toEqual([true, true]);
        }
      },
    ),
    { numRuns: cases(1000) },
  );
});
