import { bots as catalogue } from '../crawlers/bots/catalogue.ts';
import { days } from './calendar.ts';
import type { Calendar } from './calendar.ts';
import { brand } from './cast.ts';
import type { Random } from './random.ts';

const linesCount = 3000;

/** Bots by their tokens, and how often they come. */
const visitors: ReadonlyArray<readonly [string, number]> = [
  ['GPTBot', 18],
  ['OAI-SearchBot', 12],
  ['ChatGPT-User', 16],
  ['ClaudeBot', 12],
  ['Claude-SearchBot', 4],
  ['Claude-User', 4],
  ['PerplexityBot', 9],
  ['Perplexity-User', 4],
  ['GoogleOther', 5],
  ['bingbot', 8],
  ['Amazonbot', 5],
  ['Applebot', 4],
  ['CCBot', 3],
  ['MistralAI-User', 2],
  ['DuckAssistBot', 2],
  ['meta-externalagent', 8],
  ['Bytespider', 7],
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

/** Behind a proxy of the site's own that does not pass the client's address on. */
const unknownShare = 0.02;

/** The lists that the demo's visitors are verified by: each a network that is made up. */
export const demoLists: ReadonlyMap<string, string> = new Map(
  [
    ...new Set(
      catalogue
        .filter(({ token }) => visitors.some(([visitor]) => visitor === token))
        .flatMap(({ lists }) => lists)
        .filter((list) => list !== 'meta/geofeed'),
    ),
  ].map((list, index) => [list, `45.${64 + index}.0`]),
);

/** Lines of the site's access log: requests by AI crawlers, more of them each month. */
export function demoLog({ calendar, random }: { calendar: Calendar; random: Random }): string[] {
  return Array.from({ length: linesCount }, () => {
    // The square root of an even chance: twice as many at the end as in the middle.
    const day = Math.min(days - 1, Math.floor(Math.sqrt(random.next()) * days));
    const token = random.pickWeighted(visitors);
    const lists = catalogue.find((bot) => bot.token === token)?.lists ?? [];
    const network = lists.flatMap((list) => demoLists.get(list) ?? [])[0];
    const isSpoofed = network !== undefined && random.isChance(spoofedShare);
    const [date = '', time = ''] = calendar.moment(day, random.next()).split(/[T.]/);
    const address = addressOf({ network, isSpoofed, random });
    const request = requestOf(isSpoofed, random);
    return `${brand.domains[0]} ${address} - - [${ncsaDate(date)}:${time} +0000] ${request} "-" "Mozilla/5.0 (compatible; ${token}/1.0)"`;
  });
}

function addressOf({
  network,
  isSpoofed,
  random,
}: {
  network: string | undefined;
  isSpoofed: boolean;
  random: Random;
}): string {
  if (network === undefined || isSpoofed) {
    return `185.220.${random.whole(0, 255)}.${random.whole(1, 254)}`;
  }
  if (random.isChance(unknownShare)) return '10.0.0.8';
  return `${network}.${random.whole(1, 254)}`;
}

/** Request, status and size. */
function requestOf(isSpoofed: boolean, random: Random): string {
  if (isSpoofed) return `"GET ${random.pick(secrets)} HTTP/1.1" 404 153`;
  const method = random.isChance(0.03) ? 'HEAD' : 'GET';
  const status = random.pickWeighted([
    ['200', 84],
    ['304', 8],
    ['301', 3],
    ['404', 3],
    ['503', 1],
    ['-', 1],
  ]);
  return `"${method} ${random.pickWeighted(pages)} HTTP/1.1" ${status} ${random.whole(200, 60_000)}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function ncsaDate(date: string): string {
  const [year = '', month = '', day = ''] = date.split('-');
  return `${day}/${months[Number(month) - 1] ?? ''}/${year}`;
}
