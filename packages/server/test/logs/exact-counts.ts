import { expect } from 'vitest';
import { recordChanges } from '../../src/crawlers/hits/record-changes.ts';
import { readBotDays } from '../../src/reports/engine-access/bot-days.ts';
import type { Store } from '../../src/storage/store.ts';
import { tryOut } from '../../src/storage/write.ts';
import type { makePlace } from './log-place.ts';

type Place = Awaited<ReturnType<typeof makePlace>>;

/** Counts the stored hits again, and expects the same counts and votes, and the same days of bots. */
export async function expectExactCounts({
  store,
  workspaceId,
  rows: readHits,
}: Place): Promise<void> {
  const tables = ['hit_days', 'hit_pages', 'hit_votes'] as const;
  const read = (db: Store['writer']) =>
    Promise.all(
      tables.map(async (table) => {
        const query = db.selectFrom(table).selectAll().where('workspace_id', '=', workspaceId);
        const rows = (await query.execute()).filter(
          (row) => !('network' in row && row.network === 'n'),
        );
        return rows.map((row) => JSON.stringify(row)).toSorted();
      }),
    );
  const rows = await read(store.writer);
  const again = await tryOut(store, async (tried) => {
    const hits = await tried.writer
      .selectFrom('hits')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .execute();
    for (const table of tables) {
      await tried.writer.deleteFrom(table).where('workspace_id', '=', workspaceId).execute();
    }
    await tried.write(async (transaction) => {
      await recordChanges(
        tried,
        transaction,
        workspaceId,
        hits.map((after) => ({ after })),
      );
    });
    return read(tried.writer);
  });
  expect(rows).toEqual(again);
  const days = await readBotDays({ db: store.reader, workspaceId }, {});
  expect(days).toEqual(botDaysOf(await readHits()));
}

/** The counts of `readBotDays`, from the stored hits. */
function botDaysOf(hits: Awaited<ReturnType<Place['rows']>>) {
  const groups = Map.groupBy(hits, ({ hit_at: at, bot_name: bot }) => `${at.slice(0, 10)} ${bot}`);
  return [...groups]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, [first, ...others]]) => {
      if (first === undefined) throw new RangeError('A group without hits');
      const { bot_name, bot_company, category, hit_at: at } = first;
      const all = [first, ...others];
      const own = all.filter(({ verification }) => verification === 'verified');
      const unverified = all.filter(({ verification }) => verification === 'unverified');
      const withStatus = (...statuses: number[]) =>
        own.filter(({ status }) => statuses.includes(status ?? 0)).length;
      return {
        date: at.slice(0, 10),
        bot_name,
        bot_company,
        category,
        genuine: own.length,
        refused: withStatus(401, 402, 403, 407, 429, 451),
        limited: withStatus(429),
        charged: withStatus(402),
        broken: withStatus(500, 503),
        read_at:
          own
            .filter(({ status }) => status === 304 || (status ?? 0) < 300)
            .map((hit) => hit.hit_at)
            .toSorted()
            .at(-1) ?? null,
        forged: all.length - own.length - unverified.length,
        unverified: unverified.length,
        proxied: unverified.filter(({ evidence }) =>
          /"(?:proxy|private)_address"/.test(evidence ?? ''),
        ).length,
      };
    });
}
