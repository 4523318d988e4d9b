/** Claims at noon of a day, judged by lists that are written by hand. */
import { parseAddress } from '../../src/values/addresses/address.ts';
import type { Address } from '../../src/values/addresses/address.ts';
import { bots } from '../../src/crawlers/bots/catalogue.ts';
import type { Bot } from '../../src/crawlers/bots/catalogue.ts';
import { createLists } from '../../src/crawlers/operators/lists.ts';
import type { Lists } from '../../src/crawlers/operators/lists.ts';
import type { StoredVersion } from '../../src/crawlers/operators/file-versions.ts';
import { judge } from '../../src/crawlers/verify/judge.ts';
import type { Claim } from '../../src/crawlers/verify/judge.ts';
import type { Verdict } from '../../src/crawlers/verify/verdict.ts';

export const day = 86_400_000;
export const noon: number = Date.parse('2026-11-20T12:00:00.000Z');
export const inside = '20.171.207.5';
export const outside = '45.9.148.3';
/** The network that `inside` is in. */
export const crawlerNetwork = '20.171.207.0/24';

export function judgeBot(
  bot: string | Bot,
  address: string | null,
  ranges: Lists,
  more: Partial<Claim> = {},
): Verdict {
  const claimed = typeof bot === 'string' ? findBot(bot) : bot;
  const parsed = address === null ? undefined : parseAddress(address);
  const claim = { bot: claimed, address: parsed ?? null, atMs: noon, nowMs: noon, ...more };
  return judge(claim, ranges);
}

export function reasonOf(...args: Parameters<typeof judgeBot>): string {
  return judgeBot(...args).evidence.reason;
}

export function naming(text: string): { otherClients: Array<{ address: Address }> } {
  const address = parseAddress(text);
  return { otherClients: address === undefined ? [] : [{ address }] };
}

export function findBot(token: string): Bot {
  const found = bots.find((bot) => bot.token === token);
  if (found === undefined) throw new Error(`There is no bot ${token}`);
  return found;
}

export function lists(files: Readonly<Record<string, readonly StoredVersion[]>>): Lists {
  return createLists(new Map(Object.entries(files)));
}

/** A list that held for some days around noon of the day. */
export function version(firstDay: number, lastDay: number, ...prefixes: string[]): StoredVersion {
  const [firstMs, lastMs] = [noon + firstDay * day, noon + lastDay * day];
  return {
    firstMs,
    lastMs,
    firstAt: new Date(firstMs).toISOString(),
    lastAt: new Date(lastMs).toISOString(),
    content: JSON.stringify(prefixes),
  };
}
