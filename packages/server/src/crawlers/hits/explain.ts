import type { Kysely } from 'kysely';
import { CommandError } from '../../problems.ts';
import type { DataTables } from '../../storage/schema.ts';
import type { Evidence } from '../verify/verdict.ts';
import { readEvidence } from './hit.ts';
import type { Hit } from './hit.ts';

export interface ExplainedHit {
  readonly hit: Omit<Hit, 'evidence' | 'address_group'>;
  /** Undefined for a hit that was imported. */
  readonly evidence: Evidence | undefined;
  /** Where the address claimed to be many operators: one hit of each in the same ten minutes. */
  readonly neighbours: ReadonlyArray<Pick<Hit, 'bot_name' | 'bot_company' | 'hit_at'>>;
}

/** Everything known of one hit. Throws a `CommandError` where there is none of that id. */
export async function explainHit(
  db: Kysely<DataTables>,
  workspaceId: string,
  id: string,
): Promise<ExplainedHit> {
  const row = await db
    .selectFrom('hits')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new CommandError(`The workspace has no hit ${id}.`);
  const { workspace_id: _workspace, evidence: text, address_group: group, ...hit } = row;
  const evidence = readEvidence(text);
  if (evidence?.reason !== 'many_operators' || group === null)
    return { hit, evidence, neighbours: [] };
  const near = await db
    .selectFrom('hits')
    .select(['bot_name', 'bot_company', 'hit_at'])
    .where('workspace_id', '=', workspaceId)
    .where('address_group', '=', group)
    .orderBy('hit_at')
    .orderBy('id')
    .execute();
  const first = new Map(near.toReversed().map((other) => [other.bot_company, other]));
  return { hit, evidence, neighbours: [...first.values()] };
}
