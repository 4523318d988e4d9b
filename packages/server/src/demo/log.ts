import { days } from './calendar.ts';
import type { MomentOf } from './calendar.ts';
import type { Random } from './random.ts';
import story from './story.json' with { type: 'json' };

const linesCount = 3000;
const forgedShare = 0.07;
/** List each visitor as often as its weight says. */
const visitors = story.visitors.flatMap((visitor) =>
  Array.from({ length: visitor.weight }, () => visitor),
);
const statuses = ['200', '200', '200', '200', '200', '200', '200', '200', '304', '404'];

/** Example lists with an invented network for each file of an operator. */
export const demoLists: ReadonlyMap<string, string> = new Map(
  story.visitors.flatMap(({ list }, index) =>
    list === null ? [] : [[list, `45.${64 + index}.0`]],
  ),
);

/** Lines of the site's access log: requests by AI crawlers, more of them each week. */
export function demoLog(momentOf: MomentOf, random: Random): string[] {
  return Array.from({ length: linesCount }, () => {
    const day = Math.min(days - 1, Math.floor(Math.sqrt(random.next()) * days));
    const [date = '', time = ''] = momentOf(day, random.next()).split(/[T.]/);
    const { token, list } = random.pick(visitors);
    const isForged = list !== null && random.isChance(forgedShare);
    const network = isForged ? '185.220.101' : (demoLists.get(list ?? '') ?? '45.90.1');
    const address = `${network}.${1 + Math.floor(random.next() * 254)}`;
    const path = random.pick(isForged ? story.forgeries : story.visits);
    const status = isForged ? '404' : statusOf(path, token, random);
    const request = `"GET ${path} HTTP/1.1" ${status} ${200 + Math.floor(random.next() * 60_000)}`;
    return `acme.example ${address} - - [${ncsaDate(date)}:${time} +0000] ${request} "-" "Mozilla/5.0 (compatible; ${token}/1.0)"`;
  });
}

/** A firewall keeps one page from two crawlers. */
function statusOf(path: string, token: string, random: Random): string {
  const isRefused = path === '/docs/api' && /^(?:GPTBot|PerplexityBot)$/.test(token);
  return isRefused ? '403' : random.pick(statuses);
}

function ncsaDate(date: string): string {
  const month = new Date(date).toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  return `${date.slice(8)}/${month}/${date.slice(0, 4)}`;
}
