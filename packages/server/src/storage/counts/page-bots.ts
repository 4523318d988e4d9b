import type { BotCategory } from '@overheard/contract';
import type { Kysely } from 'kysely';
import type { DataTables } from '../schema.ts';
import { pad } from '../chunks.ts';
import { periodHits } from '../queries/period-hits.ts';
import { addressKey, reads, refusals } from './own-pages.ts';
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
  const pageOf = new Map(
    pages.flatMap((page) =>
      page.addresses.map(({ host, path }) => [addressKey(host, path), page] as const),
    ),
  );
  const botsOf = new Map<OwnPage, BotReads[]>();
  const paths = pages.flatMap(({ addresses }) => addresses.map(({ path }) => path));
  // Cited pages may have no requests, and PostgreSQL accepts no empty list.
  if (paths.length === 0) return botsOf;
  const bots = ['bot_name', 'bot_company', 'category'] as const;
  const rows = await periodHits(db, workspaceId, { from, to })
    .select(['host', 'path', ...bots, reads.as('reads'), refusals.as('refusals')])
    .where('path', 'in', pad(paths))
    .groupBy(['host', 'path', ...bots])
    .orderBy('bot_name')
    .orderBy('bot_company')
    .orderBy('category')
    .execute();
  for (const { host, path, ...bot } of rows) {
    const page = pageOf.get(addressKey(host, path));
    if (page === undefined || bot.reads + bot.refusals === 0) continue;
    const botsOfPage = botsOf.get(page) ?? [];
    botsOf.set(page, botsOfPage);
    addBot(botsOfPage, bot);
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
