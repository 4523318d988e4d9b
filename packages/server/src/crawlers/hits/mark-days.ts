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
  await mark(transaction, workspaceId, { days, state: 'written' });
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
  await mark(transaction, workspaceId, { days: nearby, state: 'nearby' });
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
  const days = new Set(nearby.map(({ day }) => day));
  await mark(transaction, workspaceId, { days, state: 'nearby' });
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

/** Marks days whose hits changed as `written`, and those of which only what decides them did as `nearby`. */
async function mark(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  { days, state }: { days: ReadonlySet<number>; state: 'written' | 'nearby' },
): Promise<void> {
  // A counter would repeat its values once the day is settled, and several processes may settle it.
  const marks = randomInt(2 ** 31);
  for (const chunk of inChunks([...days], daysAtOnce)) {
    await transaction
      .insertInto('unsettled_days')
      .values(chunk.map((day) => ({ workspace_id: workspaceId, day, state, marks })))
      .onConflict((conflict) => {
        const update = conflict.columns(['workspace_id', 'day']).doUpdateSet({ state, marks });
        // The hits of a day that is counted again are all settled again.
        return state === 'written' ? update : update.where('unsettled_days.state', '=', 'nearby');
      })
      .execute();
  }
}
