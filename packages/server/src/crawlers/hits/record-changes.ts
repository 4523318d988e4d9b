import type { Transaction } from 'kysely';
import { canFollow, countChanges } from '../../storage/counts/hit-changes.ts';
import type { HitChange } from '../../storage/counts/hit-changes.ts';
import { noteChanges } from '../../storage/note-changes.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Store } from '../../storage/store.ts';
import type { Hit } from './hit.ts';
import { addVotes, readSites, sumVotes } from './hit-votes.ts';
import { dayOf } from './identity.ts';
import { changeProof, markDays } from './mark-days.ts';
import { hasReason, refutedReasons } from './reasons.ts';

/** The fields of a hit that the API serves and that may change. */
const servedColumns = [
  'bot_name',
  'bot_company',
  'category',
  'path',
  'status',
  'verification',
] as const;

/**
 * Adds changed hits to counts and votes, in the transaction that changes them. Costs as much as there
 * are changes, however many hits their days have: anyone can send requests.
 */
export async function recordChanges(
  store: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  changes: readonly HitChange<
    Omit<Hit, 'method' | 'user_agent' | 'signature' | 'id' | 'address' | 'robots_outcomes'>
  >[],
): Promise<void> {
  const served = changes.filter(
    ({ before, after }) =>
      before === undefined || servedColumns.some((column) => before[column] !== after[column]),
  );
  await noteChanges(transaction, workspaceId, { hits: served.map(({ after }) => after.hit_at) });
  const others = changes.filter((change) => !canFollow(change));
  await markDays(
    transaction,
    workspaceId,
    others.map(({ after }) => after),
  );
  const followed = changes.filter(canFollow);
  await countChanges(store, transaction, workspaceId, followed);
  const votes = sumVotes(workspaceId, followed, await readSites(transaction, workspaceId));
  const change = () => addVotes(store, transaction, votes);
  if (!(await mayChangeProof(transaction, workspaceId, votes))) return change();
  const days = votes.map(({ day }) => day);
  await changeProof(transaction, workspaceId, {
    from: Math.min(...days),
    to: Math.max(...days),
    change,
  });
}

type Votes = ReturnType<typeof sumVotes>;

/** Whether votes add to a site and day that does not prove enough by itself, or take from one. */
async function mayChangeProof(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  votes: Votes,
): Promise<boolean> {
  const verified = votes.filter(({ verdict }) => verdict === 'verified');
  for (const group of Map.groupBy(verified, ({ day, site }) => `${day} ${site}`).values()) {
    const [first] = group;
    if (first === undefined) continue;
    if (group.some(({ hits }) => hits < 0)) return true;
    const stored = await transaction
      .selectFrom('hit_votes')
      .select(['operator', 'network'])
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', first.day)
      .where('verdict', '=', 'verified')
      .where('site', '=', first.site)
      .limit(3)
      .execute();
    // Three votes are of two operators or of three networks.
    const isProven = stored.length === 3 || stored[0]?.operator !== stored.at(-1)?.operator;
    const isStored = ({ operator, network }: Votes[number]) =>
      stored.some((vote) => vote.operator === operator && vote.network === network);
    if (!isProven && !group.every(isStored)) return true;
  }
  return false;
}

/** Leaves refuted hits to be settled: their address may be a visitor's, and proof may come. */
export async function queueHits(
  { rowStatement }: Pick<Store, 'rowStatement'>,
  transaction: Transaction<DataTables>,
  workspaceId: string,
  hits: readonly Pick<Hit, 'id' | 'hit_at' | 'address' | 'network' | 'evidence'>[],
): Promise<void> {
  const refuted = hits.filter(
    ({ address, network, evidence }) =>
      address !== null && network !== null && hasReason(evidence ?? '', refutedReasons),
  );
  await rowStatement(transaction, (rows: ReadonlyArray<DataTables['unsettled_hits']>) =>
    transaction
      .insertInto('unsettled_hits')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['workspace_id', 'day', 'id']).doNothing())
      .compile(),
  )(
    refuted.map(({ id, hit_at: at }) => ({
      workspace_id: workspaceId,
      day: dayOf(Date.parse(at)),
      id,
    })),
  );
}
