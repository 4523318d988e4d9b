import { limits, prompts } from '@overheard/contract';
import type { PromptRow } from '@overheard/contract';
import { orderBy } from '../../storage/queries/order-by.ts';
import { orders } from '../../values/orders.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

export function preparePrompts(search: string): PreparedQuery {
  return prepareCapped(parseQuery(search, prompts.query), readPrompts);
}

/** The most recent prompts, up to the limit of the contract. */
export async function readPrompts({ db, workspaceId }: ReadRequest): Promise<PromptRow[]> {
  const rows = await db
    .selectFrom('prompts')
    .select(prompts.fields)
    .where('workspace_id', '=', workspaceId)
    .orderBy(orderBy(orders.prompts))
    .limit(limits.promptsMax)
    .execute();
  return rows.map((row) => ({ ...row, active: Boolean(row.active) }));
}
