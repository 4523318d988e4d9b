import knownAgents from 'crawler-user-agents' with { type: 'json' };
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bots, findRangeList, rangeLists } from './catalogue.ts';
import type { Bot } from './catalogue.ts';
import { createRecogniser } from './recognise.ts';

const recognise = createRecogniser(bots);

test('the catalogue has at least 70 bots, each token once', () => {
  expect(bots.length).toBeGreaterThanOrEqual(70);
  expect(new Set(bots.map(({ token }) => token.toLowerCase())).size).toBe(bots.length);
});

test.each(bots.map((bot) => [bot.token, bot] as const))(
  '%s is hidden by no other token',
  (token, bot) => {
    for (const userAgent of [
      ...(bot.needsVersion ? [] : [token, token.toLowerCase()]),
      `${token}/1.0`,
      `Mozilla/5.0 (compatible; ${token.toUpperCase()}/9.9; +https://example.com)`,
    ]) {
      expect(recognise(userAgent)?.token, userAgent).toBe(bot.token);
    }
  },
);

test('a token matches whole words only', () => {
  for (const { token } of bots) {
    expect(recognise(`x${token}x`)?.token).not.toBe(token);
  }
  expect(recognise('Mozilla/5.0 (Windows NT 10.0) Chrome/120 Safari/537.36')).toBeUndefined();
});

test('every list of a bot can be fetched, and every list belongs to a bot', () => {
  const named = new Set(bots.flatMap(({ lists }) => lists));
  expect([...named].filter((id) => findRangeList(id) === undefined)).toEqual([]);
  const unnamed = rangeLists.map(({ id }) => id).filter((id) => !named.has(id));
  // Addresses of users' own code on Google's cloud. They verify no bot, but prevent `spoofed` for some.
  expect(unnamed.filter((id) => !id.startsWith('proxy/'))).toEqual([
    'google/user-triggered-fetchers',
  ]);
  expect(new Set(rangeLists.map(({ url }) => url)).size).toBe(rangeLists.length);
});

test('an authoritative bot has a means of verification, and a token that is never sent has none', () => {
  const hasMeans = ({ lists, dns, agent }: Bot) =>
    lists.length + dns.length > 0 || agent !== undefined;
  const authoritative = bots.filter(({ isAuthoritative }) => isAuthoritative);
  expect(authoritative.filter((bot) => !hasMeans(bot))).toEqual([]);
  const neverSent = bots.filter(({ isNeverSent }) => isNeverSent);
  expect(neverSent.map(({ token }) => token)).toEqual(['Google-Extended', 'Applebot-Extended']);
  expect(neverSent.filter(hasMeans)).toEqual([]);
});

test('only a bot with a page of its operator has a day on which it was checked', () => {
  const checked = bots.filter(({ checked: day }) => day !== null);
  expect(checked.filter(({ docs }) => docs === null).map(({ token }) => token)).toEqual([]);
  expect(checked.length).toBeGreaterThan(50);
});

/** Tools, archives and crawlers of other kinds that the list counts among the AI crawlers. */
const notOurs = new Set([
  'AISearchBot',
  'newsai\\/',
  'Spider[\\s\\S]*spider\\.com',
  'ExteContextCrawl',
  'KunatoCrawler',
  'semantic-visions',
  'TaraGroup Intelligent Bot',
  'Thinkbot',
  'TSM-turingos',
  'KendraBot',
  'ImageMind',
  'Novellum',
  'linkReader\\/',
  'Spawning-AI',
  'The Knowledge AI',
  'PerplexityUser',
]);

test('every AI crawler of the list crawler-user-agents is in the catalogue or a known exception', () => {
  const rows = z
    .array(
      z.object({
        pattern: z.string(),
        instances: z.array(z.string()),
        tags: z.array(z.string()).optional(),
      }),
    )
    .parse(knownAgents);
  const crawlers = rows.filter(({ tags = [] }) => tags.includes('ai-crawler'));
  expect(crawlers.length).toBeGreaterThan(50);
  const missing = crawlers.filter(
    ({ pattern, instances }) =>
      !notOurs.has(pattern) &&
      ![pattern.replaceAll(/\\\/|\\/g, ''), ...instances].some(
        (agent) => recognise(agent) !== undefined,
      ),
  );
  expect(missing.map(({ pattern }) => pattern)).toEqual([]);
});
