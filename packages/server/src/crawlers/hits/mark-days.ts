import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import { inChunks } from '../../storage/chunks.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Hit } from './hit.ts';
import { proofsOf, readProofs } from './hit-votes.ts';
import { dayOf } from './identity.ts';
import { doubtOf, proofDays } from './standing.ts';
import { visitedDays } from './visitor-bits.ts';

const daysAtOnce = 128;

/** Marks the days of hits that must be counted again, in the transaction that changes the hits. */
export async function markDays(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  moments: ReadonlyArray<Pick<Hit, 'hit_at'>>,
): Promise<void> {
  const days = new Set(moments.map(({ hit_at: at }) => dayOf(Date.parse(at))));
  const marks = drawMarks();
  for (const chunk of inChunks([...days], daysAtOnce)) {
    await transaction
      .insertInto('unsettled_days')
      .values(chunk.map((day) => ({ workspace_id: workspaceId, day, marks })))
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'day']).doUpdateSet({ state: 'written', marks }),
      )
      .execute();
  }
}

/** Marks the days of new visitors whose refuted hits they may excuse. */
export async function markVisited(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: readonly number[],
): Promise<void> {
  const nearby = new Set<number>();
  for (const day of days) {
    const window = { from: day - visitedDays, to: day + visitedDays };
    const refuted = await selectRefutedVotes(transaction, workspaceId, window);
    for (const vote of refuted) nearby.add(vote.day);
  }
  await markNearby(transaction, workspaceId, nearby);
}

/** Changes verified votes of some days, and marks the days whose refuted hits they decide. */
export async function changeProof(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { from, to, change }: { from: number; to: number; change: () => Promise<void> },
): Promise<void> {
  const window = { from: from - 2 * proofDays, to: to + 2 * proofDays };
  const before = await readProofs(transaction, workspaceId, window);
  await change();
  const after = await readProofs(transaction, workspaceId, window);
  if (isDeepStrictEqual(before, after)) return;
  const refuted = await selectRefutedVotes(transaction, workspaceId, {
    from: from - proofDays,
    to: to + proofDays,
  });
  const nearby = refuted.filter(
    ({ site, day }) => doubtOf(day, proofsOf(site, before)) !== doubtOf(day, proofsOf(site, after)),
  );
  await markNearby(transaction, workspaceId, new Set(nearby.map(({ day }) => day)));
}

/** The days, from one to another, with refuted hits that no visitor excuses, and their sites. */
function selectRefutedVotes(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { from, to }: { from: number; to: number },
) {
  return transaction
    .selectFrom('hit_votes')
    .select(['day', 'site'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('verdict', '=', 'refuted')
    .execute();
}

/** Marks days whose hits did not change, but what decides them. */
async function markNearby(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  days: ReadonlySet<number>,
): Promise<void> {
  const marks = drawMarks();
  for (const chunk of inChunks([...days], daysAtOnce)) {
    await transaction
      .insertInto('unsettled_days')
      .values(chunk.map((day) => ({ workspace_id: workspaceId, day, state: 'nearby', marks })))
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'day'])
          .doUpdateSet({ marks })
          // The hits of a day that is counted again are all settled again.
          .where('unsettled_days.state', '=', 'nearby'),
      )
      .execute();
  }
}

/** A counter would repeat its values once the day is settled, and several processes may settle it. */
function drawMarks(): number {
  return randomInt(2 ** 31);
}
