import { sql } from 'kysely';
import type { Insertable, RawBuilder, Transaction } from 'kysely';
import { hitCounts, mapHitCounts } from '../tables/count-tables.ts';
import type { DataTables } from '../schema.ts';
import type { Store } from '../store.ts';

type TotalRow = Insertable<DataTables['hit_page_totals']>;

/** Adds the counts of rows to those of the page's total, in the transaction that adds the rows. */
export async function addToPageTotals(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  pages: readonly TotalRow[],
): Promise<void> {
  const totals = new Map<string, TotalRow>();
  for (const { workspace_id, page_hash, host, path, ...page } of pages) {
    const total = totals.get(page_hash) ?? {
      workspace_id,
      page_hash,
      host,
      path,
      ...mapHitCounts(() => 0),
    };
    for (const name of hitCounts) total[name] += page[name];
    totals.set(page_hash, total);
  }
  await rowStatement(transaction, (rows: readonly TotalRow[]) =>
    transaction
      .insertInto('hit_page_totals')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'page_hash']).doUpdateSet(addCounts('hit_page_totals')),
      )
      .compile(),
  )([...totals.values()]);
}

/**
 * Subtracts the counts of some days from the totals, before the days are removed from `hit_pages`.
 */
export async function takeFromPageTotals(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  dates: readonly string[],
): Promise<void> {
  await transaction
    .insertInto('hit_page_totals')
    .columns(['workspace_id', 'page_hash', 'host', 'path', ...hitCounts])
    .expression((from) =>
      from
        .selectFrom('hit_pages')
        .select(({ fn }) => [
          'workspace_id',
          'page_hash',
          fn.min<string>('host').as('host'),
          fn.min<string>('path').as('path'),
        ])
        .select(hitCounts.map((name) => sql<number>`-sum(${sql.ref(name)})`.as(name)))
        .where('workspace_id', '=', workspaceId)
        .where('date', 'in', dates)
        .groupBy(['workspace_id', 'page_hash']),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'page_hash']).doUpdateSet(addCounts('hit_page_totals')),
    )
    .execute();
  await transaction
    .deleteFrom('hit_page_totals')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`verified + spoofed + unverified = 0`)
    .execute();
}

/** Adds each count of the inserted row to that of the stored row. */
export function addCounts(
  table: 'hit_days' | 'hit_pages' | 'hit_page_totals',
): ReturnType<typeof mapHitCounts<RawBuilder<number>>> {
  return mapHitCounts(
    (name) => sql`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
}

/**
 * A condition that is always true, because every page in `hit_pages` has totals. It makes the
 * database look up the days of a period page by page instead of reading all days.
 */
export function ofStoredPages(workspaceId: string) {
  return sql<boolean>`page_hash in (select page_hash from hit_page_totals where workspace_id = ${workspaceId})`;
}
