import { agentHits, limits } from '@overheard/contract';
import type { HitRow } from '@overheard/contract';
import { orderBy } from '../../storage/queries/order-by.ts';
import { orders } from '../../values/orders.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

export function prepareAgentHits(search: string): PreparedQuery {
  return prepareCapped(parseQuery(search, agentHits.query), readAgentHits);
}

/** The most recent hits of all three verifications, up to the limit of the contract. */
function readAgentHits({ db, workspaceId }: ReadRequest): Promise<HitRow[]> {
  return db
    .selectFrom('hits')
    .select(agentHits.fields)
    .where('workspace_id', '=', workspaceId)
    .orderBy(orderBy(orders.hits))
    .limit(limits.hitsMax)
    .execute();
}
