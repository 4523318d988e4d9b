import type { HitRow } from '@overheard/contract';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';
import type { Random } from './random.ts';

const hitsCount = 3000;

type Bot = Pick<HitRow, 'bot_name' | 'bot_company' | 'category'> & {
  /** Whether its operator publishes how to tell it from an imitation. */
  readonly isVerifiable: boolean;
};

const bot = (
  bot_name: string,
  bot_company: string,
  category: HitRow['category'],
  { isVerifiable = true } = {},
): Bot => ({ bot_name, bot_company, category, isVerifiable });

const unverifiable = { isVerifiable: false };

/** Bots as their operators write them, and how often they come. */
const bots: ReadonlyArray<readonly [Bot, number]> = [
  [bot('GPTBot', 'OpenAI', 'crawler'), 18],
  [bot('OAI-SearchBot', 'OpenAI', 'search'), 12],
  [bot('ChatGPT-User', 'OpenAI', 'user'), 16],
  [bot('ClaudeBot', 'Anthropic', 'crawler'), 12],
  [bot('Claude-SearchBot', 'Anthropic', 'search'), 4],
  [bot('Claude-User', 'Anthropic', 'user'), 4],
  [bot('PerplexityBot', 'Perplexity', 'search'), 9],
  [bot('Perplexity-User', 'Perplexity', 'user'), 4],
  [bot('GoogleOther', 'Google', 'crawler'), 5],
  [bot('bingbot', 'Microsoft', 'search'), 8],
  [bot('Amazonbot', 'Amazon', 'crawler'), 5],
  [bot('Applebot', 'Apple', 'search'), 4],
  [bot('CCBot', 'Common Crawl', 'crawler'), 3],
  [bot('MistralAI-User', 'Mistral', 'user'), 2],
  [bot('DuckAssistBot', 'DuckDuckGo', 'user'), 2],
  [bot('meta-externalagent', 'Meta', 'crawler', unverifiable), 8],
  [bot('Bytespider', 'ByteDance', 'crawler', unverifiable), 7],
];

const pages: ReadonlyArray<readonly [string, number]> = [
  ['/', 14],
  ['/pricing', 12],
  ['/features', 8],
  ['/compare/globex', 6],
  ['/docs/import', 5],
  ['/docs/api', 6],
  ['/blog/choosing-a-crm', 7],
  ['/customers', 4],
  ['/robots.txt', 10],
  ['/sitemap.xml', 5],
  ['/llms.txt', 3],
  ['/changelog', 2],
];
/** What imitations look for. */
const secrets = ['/.env', '/.git/config', '/wp-login.php', '/admin', '/backup.zip'];

const spoofedShare = 0.07;

/**
 * Requests by AI crawlers, more of them each month. It stands in for log lines: once those can be
 * read, the demo makes lines here, and the pipeline tells the bots and verifies them.
 */
export function demoHits({ calendar, random }: { calendar: Calendar; random: Random }): HitRow[] {
  return Array.from({ length: hitsCount }, () => {
    // The square root of an even chance: twice as many at the end as in the middle.
    const day = Math.min(days - 1, Math.floor(Math.sqrt(random.next()) * days));
    const { isVerifiable, ...name } = random.pickWeighted(bots);
    const isSpoofed = isVerifiable && random.isChance(spoofedShare);
    return {
      ...name,
      ...requestOf(isSpoofed, random),
      verification: verificationOf({ isVerifiable, isSpoofed, random }),
      hit_at: calendar.moment(day, random.next()),
    };
  });
}

function requestOf(isSpoofed: boolean, random: Random): Pick<HitRow, 'path' | 'method' | 'status'> {
  if (isSpoofed) return { path: random.pick(secrets), method: 'GET', status: 404 };
  return {
    path: random.pickWeighted(pages),
    method: random.isChance(0.03) ? 'HEAD' : 'GET',
    status: random.pickWeighted<number | null>([
      [200, 84],
      [304, 8],
      [301, 3],
      [404, 3],
      [503, 1],
      [null, 1],
    ]),
  };
}

function verificationOf({
  isVerifiable,
  isSpoofed,
  random,
}: {
  isVerifiable: boolean;
  isSpoofed: boolean;
  random: Random;
}): HitRow['verification'] {
  if (isSpoofed) return 'spoofed';
  return isVerifiable && !random.isChance(0.02) ? 'verified' : 'unverified';
}
