import { agentHits, limits } from '@overheard/contract';
import type { HitRow } from '@overheard/contract';
import { orderBy } from '../../storage/queries/order-by.ts';
import { orders } from '../../values/orders.ts';
import type { ReadRequest } from './read-request.ts';

/** The most recent hits of all three verifications, up to the limit of the contract. */
export function readAgentHits({ db, workspaceId }: ReadRequest): Promise<HitRow[]> {
  return db
    .selectFrom('hits')
    .select(agentHits.fields)
    .where('workspace_id', '=', workspaceId)
    .orderBy(orderBy(orders.hits))
    .limit(limits.hitsMax)
    .execute();
}
