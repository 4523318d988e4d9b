import { agentHits, limits } from '@overheard/contract';
import { isAfter, orderBy } from '../../storage/queries/order-by.ts';
import { orders } from '../../values/orders.ts';
import { endOfDay, startOfDay } from '../../values/time/utc-day.ts';
import { preparePaged } from '../request/paged-query.ts';
import type { RowsPage } from '../request/paged-query.ts';
import { refuseReversed } from '../request/period.ts';
import type { Place } from '../request/cursor.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

/** Prepares the most recent hits. Only a query with days leads to a next page. */
export function prepareAgentHits(search: string): PreparedQuery {
  const query = parseQuery(search, agentHits.query);
  const { cursor, ...days } = query;
  if (Object.keys(query).length === 0) {
    return prepareCapped(query, (request) =>
      selectHits(request).select(agentHits.fields).limit(limits.hitsMax).execute(),
    );
  }
  refuseReversed(days);
  return preparePaged({
    endpoint: 'agent-hits',
    values: query,
    pinned: days,
    cursor,
    read: (request, after) => readPage(request, { ...days, after }),
  });
}

interface HitsPage {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly after: Place | undefined;
}

async function readPage(request: ReadRequest, { from, to, after }: HitsPage): Promise<RowsPage> {
  const found = await selectHits(request)
    .select(['id', ...agentHits.fields])
    .$if(from !== undefined, (is) => is.where('hit_at', '>=', startOfDay(from ?? '')))
    .$if(to !== undefined, (is) => is.where('hit_at', '<', endOfDay(to ?? '')))
    .where(({ ref }) => isAfter(ref('hit_at'), ref('id'), after))
    .limit(limits.hitsMax + 1)
    .execute();
  const page = found.slice(0, limits.hitsMax);
  const last = page.at(-1);
  const isLast = last === undefined || found.length === page.length;
  return {
    rows: page.map(({ id: _id, ...hit }) => hit),
    next: isLast ? undefined : { runAt: last.hit_at, id: last.id },
  };
}

function selectHits({ db, workspaceId }: ReadRequest) {
  return db
    .selectFrom('hits')
    .where('workspace_id', '=', workspaceId)
    .orderBy(orderBy(orders.hits));
}
