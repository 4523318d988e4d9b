import knownAgents from 'crawler-user-agents' with { type: 'json' };
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bots, findRangeList, rangeLists } from './catalogue.ts';
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
      token,
      `${token}/1.0`,
      `Mozilla/5.0 (compatible; ${token.toUpperCase()}/9.9; +https://example.com)`,
      token.toLowerCase(),
    ]) {
      expect(recognise(userAgent)?.token, userAgent).toBe(bot.token);
    }
  },
);

test('a token is a whole word', () => {
  for (const { token } of bots) {
    expect(recognise(`x${token}x`)?.token).not.toBe(token);
  }
  expect(recognise('Mozilla/5.0 (Windows NT 10.0) Chrome/120 Safari/537.36')).toBeUndefined();
});

test('every list that a bot names is one that can be fetched, and every list is a bot’s', () => {
  const named = new Set(bots.flatMap(({ lists }) => lists));
  expect([...named].filter((id) => findRangeList(id) === undefined)).toEqual([]);
  expect(rangeLists.filter(({ id }) => !named.has(id))).toEqual([]);
  expect(new Set(rangeLists.map(({ url }) => url)).size).toBe(rangeLists.length);
});

test('what is authoritative has a means, and what is never sent has none', () => {
  for (const bot of bots) {
    const means = bot.lists.length + bot.dns.length + (bot.agent === undefined ? 0 : 1);
    if (bot.isAuthoritative) expect(means, bot.token).toBeGreaterThan(0);
    if (bot.isNeverSent) expect(means, bot.token).toBe(0);
  }
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

test('no AI crawler of the list crawler-user-agents is missing unnoticed', () => {
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
