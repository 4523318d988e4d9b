import { prompts } from '@overheard/contract';
import { orderBy } from '../storage/queries/order-by.ts';
import { orders } from '../values/orders.ts';
import { toShareQuery } from './report-queries.ts';
import { readShares } from './shares/shares.ts';
import type { Period } from './shares/windows.ts';
import type { ReportSource } from './report-source.ts';

/** Reads all prompts, without a limit, in the order of the API. */
export async function readPromptReport(source: ReportSource, period: Period) {
  const { db, workspaceId } = source;
  const rows = await db
    .selectFrom('prompts')
    .select(prompts.fields)
    .where('workspace_id', '=', workspaceId)
    .orderBy(orderBy(orders.prompts))
    .execute();
  const counts = await db
    .selectFrom('runs')
    .select(({ fn }) => [
      'prompt_id',
      fn.countAll<number | string>().as('runs'),
      fn.max('run_at').as('last'),
    ])
    .where('workspace_id', '=', workspaceId)
    .groupBy('prompt_id')
    .execute();
  const query = { ...toShareQuery({ by: 'prompt' }, period), rowsMax: Number.POSITIVE_INFINITY };
  const shares = await readShares(source, query);
  const brands = new Map(
    shares.flatMap((row) => (row.subject_type === 'brand' ? [[row.prompt_id, row]] : [])),
  );
  const runsOf = new Map(counts.map((row) => [row.prompt_id, row]));
  return rows.map((row) => ({
    ...row,
    active: Boolean(row.active),
    runs: Number(runsOf.get(row.id)?.runs ?? 0),
    last_run_at: runsOf.get(row.id)?.last ?? null,
    /** Null without counted runs in the period. */
    brand: brands.get(row.id) ?? null,
  }));
}
