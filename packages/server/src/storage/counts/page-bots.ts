import type { BotCategory } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';
import { eachByHash, reads, refusals, sum } from './own-pages.ts';
import type { OwnPage } from './own-pages.ts';

/** Requests of one bot to one page. Bots of the categories `search` and `user` read for answers. */
export interface BotReads {
  readonly bot_name: string;
  readonly bot_company: string;
  readonly category: BotCategory;
  readonly reads: number;
  readonly refusals: number;
}

/** Reads the bots that read each page in a period or were refused, sorted by name. */
export async function readPageBots(
  db: Kysely<DataTables>,
  workspaceId: string,
  { from, to, pages }: { from: string; to: string; pages: readonly OwnPage[] },
): Promise<ReadonlyMap<OwnPage, readonly BotReads[]>> {
  const botsOf = new Map<OwnPage, BotReads[]>();
  for (const [hashes, pageOf] of eachByHash(pages)) {
    const rows = await db
      .selectFrom('hit_pages')
      .select(['page_hash', 'bot_name', 'bot_company', 'category'])
      .select([sum(reads).as('reads'), sum(refusals).as('refusals')])
      .where('workspace_id', '=', workspaceId)
      .where('page_hash', 'in', hashes)
      .where('date', '>=', from)
      .where('date', '<=', to)
      .groupBy(['page_hash', 'bot_name', 'bot_company', 'category'])
      .orderBy('bot_name')
      .orderBy('bot_company')
      .orderBy('category')
      .execute();
    for (const { page_hash: hash, ...bot } of rows) {
      const page = pageOf.get(hash);
      if (page === undefined || bot.reads + bot.refusals === 0) continue;
      const bots = botsOf.get(page) ?? [];
      botsOf.set(page, bots);
      addBot(bots, bot);
    }
  }
  return botsOf;
}

/** A page may have been requested under several hosts. */
function addBot(bots: BotReads[], bot: BotReads): void {
  const last = bots.at(-1);
  const isSame = last?.bot_name === bot.bot_name && last.bot_company === bot.bot_company;
  if (!isSame || last.category !== bot.category) {
    bots.push(bot);
    return;
  }
  const [allReads, allRefusals] = [last.reads + bot.reads, last.refusals + bot.refusals];
  bots[bots.length - 1] = { ...bot, reads: allReads, refusals: allRefusals };
}
