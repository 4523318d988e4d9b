import type { Ledger } from '../../storage/store.ts';
import { dollars } from '../../values/usd.ts';
import { toUsd } from './micros.ts';

/** Answers to compare, and how many are needed to say anything. */
const answersMax = 100;
const answersMin = 10;
/** Smaller differences are rounding, and parts of an answer that no list prices. */
const shareMin = 0.2;

/** An engine whose reported costs differ from the price list. */
export type PriceDifference = Awaited<ReturnType<typeof readPriceDifferences>>[number];

/**
 * The engines of a workspace whose last 100 answers cost at least 20 % more or less, as the engine
 * reports it, than the price list says.
 */
export async function readPriceDifferences(
  { db }: Ledger,
  workspaceId: string,
  engines: readonly string[],
) {
  const differences = [];
  for (const engine of engines) {
    const rows = await db
      .selectFrom('readings')
      .select(['cost_micros', 'listed_micros'])
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'done')
      .where('engine', '=', engine)
      .where('listed_micros', 'is not', null)
      .orderBy('due_at', 'desc')
      .limit(answersMax)
      .execute();
    const sum = (field: 'cost_micros' | 'listed_micros') =>
      toUsd(rows.reduce((total, row) => total + (row[field] ?? 0), 0));
    const [reportedUsd, listedUsd] = [sum('cost_micros'), sum('listed_micros')];
    const isFar = Math.abs(reportedUsd - listedUsd) >= shareMin * reportedUsd;
    const difference = { engine, answers: rows.length, reportedUsd, listedUsd };
    if (rows.length >= answersMin && isFar) differences.push(difference);
  }
  return differences;
}

/** Says how far a price list is off, and what to do. */
export function priceDifferenceWords({
  engine,
  answers,
  reportedUsd,
  listedUsd,
}: PriceDifference): { readonly happened: string; readonly advice: string } {
  return {
    happened: `The last ${answers} answers of ${engine} cost ${dollars(reportedUsd)} as it reports, and ${dollars(listedUsd)} by the price list.`,
    advice: `What it reports is booked. Estimates before its first answers go by the list: give the present price with --price-file.`,
  };
}
