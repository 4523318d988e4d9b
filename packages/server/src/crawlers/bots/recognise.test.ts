import knownAgents from 'crawler-user-agents' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bots } from './catalogue.ts';
import browserAgents from './browsers.json' with { type: 'json' };
import { createRecogniser } from './recognise.ts';

const recognise = createRecogniser(bots);
const corpus = z
  .array(
    z.object({ pattern: z.string(), url: z.string().optional(), instances: z.array(z.string()) }),
  )
  .parse(knownAgents);

/** A pattern or a token without escapes and other syntax of regular expressions. */
const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

describe('a claim', () => {
  test.each([
    'GPTBot',
    'gptbot/1.3',
    'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)',
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 Mobile Safari/537.36 (compatible; GPTBot)',
    'Mozilla/5.0 (Macintosh) AppleWebKit/600.2.5 Version/8.0.2 Safari/600.2.5 (GPTBot/0.1; +https://x.example)',
    'SAMSUNG-SGH-E250/1.0 Profile/MIDP-2.0 (compatible; GPTBot-Mobile/2.1)',
    'Mozilla/5.0 (compatible) GPTBot (+https://openai.com/gptbot)',
  ])('a claim is made by %s', (userAgent) => {
    expect(recognise(userAgent)?.token).toBe('GPTBot');
  });

  test.each([
    'Mozilla/5.0 (compatible; Reader/1.0; like GPTBot)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko; reader.example-like GPTBot)',
    'Mozilla/5.0 (compatible; inoreader.com-like FeedFetcher-Google)',
    'Mozilla/5.0 (compatible; Reader; treat like GPTBot)',
    'Reader/1.0 (not GPTBot)',
    'Mozilla/5.0 (I am not a GPTBot/1.0)',
    'Mozilla/5.0 (compatible with GPTBot)',
    'Reader/1.0 (+https://openai.com/gptbot)',
    'Mozilla/5.0 (openai.com/gptbot)',
    'Mozilla/5.0 (gptbot@openai.example)',
    'Mozilla/5.0 (compatible; Fake-GPTBot/1.0)',
    'Mozilla/5.0 (compatible; GPTBot-checker/1.0)',
    'Reader/1.0 (a gateway) GPTBot',
    'GPTBot/1.0 CFNetwork/1494.0.7 Darwin/23.4.0',
    'Dalvik/2.1.0 (Linux; U; Android 13; GPTBot Build/TP1A)',
    'Mozilla/5.0 (Linux; Android 13; GPTBot) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36',
    'xGPTBotx',
  ])('a claim is not made by %s', (userAgent) => {
    expect(recognise(userAgent)).toBeUndefined();
  });

  test.each(['Terracotta', 'Devin', 'Diffbot'])(
    'a claim is not made by an app or a phone called %s',
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

test('no other crawler of a list of 1,500 patterns is taken for an AI bot', () => {
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

/** Beginnings of user agents, by device. */
const devices = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  'Mozilla/5.0 (X11; Linux x86_64)',
  'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)',
  'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X)',
  'Mozilla/5.0 (Linux; Android 10; K)',
  'Mozilla/5.0 (Linux; Android 14; SM-S928B Build/UP1A.231005.007; wv)',
  'Mozilla/5.0 (Linux; Android 13; 22101316G)',
  'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0)',
  'Mozilla/5.0 (Web0S; Linux/SmartTV)',
  'Mozilla/5.0 (PlayStation; PlayStation 5/6.50)',
];

/** What browsers and apps append, among them those of the operators of bots. */
const products = [
  'Chrome/142.0.0.0 Safari/537.36',
  'Chrome/142.0.0.0 Mobile Safari/537.36',
  'Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  'Chrome/142.0.0.0 Safari/537.36 OPR/124.0.0.0',
  'Chrome/142.0.0.0 Safari/537.36 Vivaldi/7.6',
  'Chrome/140.0.0.0 YaBrowser/25.10.0.0 Yowser/2.5 Safari/537.36',
  'Chrome/142.0.0.0 Safari/537.36 DuckDuckGo/7 Ddg/17.6',
  'Chrome/131.0.0.0 Safari/537.36 Claude/0.14.10 Electron/36.4.0',
  'Chrome/138.0.0.0 Safari/537.36 ChatGPT/1.2025.300 Electron/37.2.0',
  'Chrome/142.0.0.0 Safari/537.36 Perplexity/1.4.0',
  'Chrome/142.0.0.0 Safari/537.36 Comet/142.0.7444.60',
  'Chrome/136.0.0.0 Mobile Safari/537.36 SamsungBrowser/29.0',
  'Chrome/120.0.0.0 Mobile Safari/537.36 UCBrowser/15.4.0.1310',
  'Chrome/114.0.0.0 HuaweiBrowser/16.0.4.301 Mobile Safari/537.36',
  'Chrome/123.0.0.0 MiuiBrowser/19.2 Mobile Safari/537.36',
  'Silk/138.2.5 like Chrome/138.0.0.0 Safari/537.36',
  'Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 GSA/16.40.31 BingSapphire/31.1',
  'Version/4.0 Chrome/136.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/530.0.0.48.74;]',
  'Version/4.0 Chrome/136.0.0.0 Mobile Safari/537.36 Instagram 400.0.0.49.68 Android',
  'Version/4.0 Chrome/131.0.0.0 Mobile Safari/537.36 BytedanceWebview/d8a21c6 musical_ly_2024',
  'Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0.50 Language/zh_CN',
  'Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 baiduboxapp/13.75.0.10',
  'Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 Quark/7.4.5 QwenApp/3.1',
  'Version/18.6 Mobile/15E148 Safari/604.1',
  'CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1',
  'FxiOS/145.0 Mobile/15E148 Safari/605.1.15',
  'Version/18.6 Safari/605.1.15 Orion/0.99',
  'Mobile/15E148 LinkedInApp/9.31.3177',
  'GSA/390.0.800 Mobile/15E148 Safari/604.1',
];

test('no browser or app of people is taken for an AI bot', () => {
  const combined = devices.flatMap((device) =>
    products.map((product) => `${device} AppleWebKit/605.1.15 (KHTML, like Gecko) ${product}`),
  );
  const all = [...Object.values(browserAgents), ...combined];
  expect(all.length).toBeGreaterThanOrEqual(350);
  expect(all.filter((userAgent) => recognise(userAgent) !== undefined)).toEqual([]);
});
