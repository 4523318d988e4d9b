import { CommandError } from '../../problems.ts';
import { findId } from '../../storage/find-id.ts';
import type { Store } from '../../storage/store.ts';
import { readCrawlerSettings } from '../settings.ts';
import { windowMs } from '../verify/many-operators.ts';
import type { Evidence } from '../verify/verdict.ts';
import { readEvidence } from './hit.ts';
import type { Hit } from './hit.ts';
import { createIdentity, periodOf } from './identity.ts';

export interface ExplainedHit {
  readonly hit: Omit<Hit, 'evidence' | 'address_group'>;
  /** Undefined for a hit that was imported. */
  readonly evidence: Evidence | undefined;
  /** Where the address claimed to be many operators: one hit of each within ten minutes of it. */
  readonly neighbours: ReadonlyArray<Pick<Hit, 'bot_name' | 'bot_company' | 'hit_at'>>;
}

/**
 * Everything known of one hit, by its id or the beginning of it. Throws a `CommandError` if there is
 * none.
 */
export async function explainHit(
  store: Store,
  workspaceId: string,
  word: string,
): Promise<ExplainedHit> {
  const id = await findId(store.reader, { table: 'hits', workspaceId, word });
  if (id === undefined) {
    throw new CommandError(`The workspace has no hit ${JSON.stringify(word)}.`);
  }
  const row = await store.reader
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new CommandError(`The workspace has no hit ${id}.`);
  const { workspace_id: _workspace, evidence: text, address_group: group, ...hit } = row;
  const evidence = readEvidence(text);
  const neighbours =
    evidence?.reason === 'many_operators' && group !== null
      ? await selectNeighbours(store, workspaceId, { ...hit, group })
      : [];
  return { hit, evidence, neighbours };
}

/** Where its address has been dropped, only those in the same ten minutes of the clock are found. */
async function selectNeighbours(
  store: Store,
  workspaceId: string,
  { address, hit_at: hitAt, group }: Pick<Hit, 'address' | 'hit_at'> & { group: string },
): Promise<ExplainedHit['neighbours']> {
  const { secret } = await readCrawlerSettings(store, workspaceId);
  const identity = createIdentity(secret);
  const atMs = Date.parse(hitAt);
  const groups = new Set([group]);
  if (address !== null) {
    for (const near of [-1, 1]) groups.add(identity.addressGroup(address, periodOf(atMs) + near));
  }
  const rows = await store.reader
    .selectFrom('hits')
    .select(['bot_name', 'bot_company', 'hit_at'])
    .where('workspace_id', '=', workspaceId)
    .where('address_group', 'in', [...groups])
    .orderBy('hit_at')
    .orderBy('id')
    .execute();
  const near = rows.filter((other) => Math.abs(Date.parse(other.hit_at) - atMs) <= windowMs);
  const first = new Map(near.toReversed().map((other) => [other.bot_company, other]));
  return [...first.values()].toSorted((left, right) => (left.hit_at < right.hit_at ? -1 : 1));
}
