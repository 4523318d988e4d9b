import knownAgents from 'crawler-user-agents' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bots } from './catalogue.ts';
import { people } from './people.ts';
import { createRecogniser } from './recognise.ts';

const recognise = createRecogniser(bots);
const corpus = z
  .array(
    z.object({ pattern: z.string(), url: z.string().optional(), instances: z.array(z.string()) }),
  )
  .parse(knownAgents);

/** A pattern or a token without what only a regular expression needs. */
const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

describe('a claim', () => {
  test.each([
    'GPTBot',
    'gptbot/1.3',
    'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot; +https://openai.com/gptbot)',
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 Mobile Safari/537.36 (compatible; GPTBot)',
    'Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 Version/8.0.2 Safari/600.2.5 (GPTBot/0.1; +https://x.example)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 7_0 like Mac OS X) Safari/9537.53 (compatible; GPTBot/2.0)',
    'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 (compatible; GPTBot-Mobile/2.1)',
    'python-requests/2.31 GPTBot/1.3',
    'Mozilla/5.0 (compatible) GPTBot (+https://openai.com/gptbot)',
  ])('is made by %s', (userAgent) => {
    expect(recognise(userAgent)?.token).toBe('GPTBot');
  });

  test.each([
    'Mozilla/5.0 (compatible; Reader/1.0; like GPTBot)',
    'Reader/1.0 (like: GPTBot)',
    'Mozilla/5.0 (compatible; Reader; treat like GPTBot)',
    'Reader/1.0 (not GPTBot)',
    'Mozilla/5.0 (I am not a GPTBot/1.0)',
    'Mozilla/5.0 (compatible with GPTBot)',
    'Reader/1.0 (+https://openai.com/gptbot)',
    'Mozilla/5.0 (see www.reader.example/gptbot)',
    'Mozilla/5.0 (openai.com/gptbot)',
    'Mozilla/5.0 (gptbot@openai.example)',
    'Mozilla/5.0 (gptbot.example.com)',
    'Mozilla/5.0 (compatible; Fake-GPTBot/1.0)',
    'Mozilla/5.0 (compatible; GPTBot-checker/1.0)',
    'Reader/1.0 (a gateway) GPTBot',
    'GPTBot/1.0 CFNetwork/1494.0.7 Darwin/23.4.0',
    'Dalvik/2.1.0 (Linux; U; Android 13; GPTBot Build/TP1A)',
    'Mozilla/5.0 (Linux; Android 13; GPTBot) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 13; GPTBot Build/TP1A) AppleWebKit/537.36 Mobile Safari/537.36',
    'xGPTBotx',
  ])('is not made by %s', (userAgent) => {
    expect(recognise(userAgent)).toBeUndefined();
  });

  test.each(['Terracotta', 'Devin', 'Diffbot'])(
    'is not made by an app or a phone called %s',
    (name) => {
      for (const userAgent of [
        `${name}/3.2 CFNetwork/1494.0.7 Darwin/23.4.0`,
        `${name}/3.2 (Android 14) okhttp/4.12.0`,
        `Mozilla/5.0 (Linux; Android 9; ${name}) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36`,
        `Dalvik/2.1.0 (Linux; U; Android 9; ${name} Build/PPR1)`,
      ]) {
        expect(recognise(userAgent), userAgent).toBeUndefined();
      }
    },
  );
});

test('nobody else in a list of crawlers is taken for an AI bot', () => {
  const wrong = corpus.flatMap(({ pattern, instances }) =>
    instances.flatMap((userAgent) => {
      const bot = recognise(userAgent);
      if (bot === undefined || bare(pattern).includes(bare(bot.token))) return [];
      return [`${bot.token} in ${userAgent}`];
    }),
  );
  // The advertising bot of Bing, listed with others of Bing; a pattern of brackets; one of a page.
  const isKnown =
    /^adidxbot in .*(?:bingbot|msnbot)\.htm|^ClaudeBot in .*claudebot|^YandexBot in .*yandex/i;
  expect(corpus.length).toBeGreaterThanOrEqual(1500);
  expect(wrong.filter((each) => !isKnown.test(each))).toEqual([]);
});

test('no browser of people is taken for a bot', () => {
  expect(Object.values(people).filter((userAgent) => recognise(userAgent) !== undefined)).toEqual(
    [],
  );
});
