import { limits, prompts } from '@overheard/contract';
import type { PromptRow } from '@overheard/contract';
import type { z } from 'zod';
import { pad } from '../../storage/chunks.ts';
import { isAfter, orderBy } from '../../storage/queries/order-by.ts';
import { foldCase } from '../../values/fold-case.ts';
import { orders } from '../../values/orders.ts';
import type { Place } from '../request/cursor.ts';
import { preparePaged } from '../request/paged-query.ts';
import { parseQuery } from '../request/query.ts';
import { prepareCapped } from '../request/prepared-query.ts';
import type { PreparedQuery } from '../request/prepared-query.ts';
import type { ReadRequest } from '../request/read-request.ts';

type PromptQuery = z.infer<typeof prompts.query>;

/** Prompts that are read at once to search their texts. */
const searchedAtOnce = 2000;

/** Prepares the prompts. Only a query with parameters leads to a next page. */
export function preparePrompts(search: string): PreparedQuery {
  const query = parseQuery(search, prompts.query);
  if (Object.keys(query).length === 0) return prepareCapped(query, readPrompts);
  const { cursor, ...filters } = query;
  return preparePaged({
    endpoint: 'prompts',
    values: query,
    pinned: filters,
    cursor: cursor === 'start' ? undefined : cursor,
    read: async (request, after) => {
      const found = await findPrompts(request, filters, after);
      const rows = found.slice(0, limits.promptsMax);
      const last = rows.at(-1);
      const isLast = last === undefined || found.length === rows.length;
      return { rows, next: isLast ? undefined : { runAt: last.created_at, id: last.id } };
    },
  });
}

/** The most recent prompts, up to the limit of the contract. */
export function readPrompts(request: ReadRequest): Promise<PromptRow[]> {
  return selectPrompts(request, {}, { rowsMax: limits.promptsMax });
}

/** The prompts of a page and, if there are more, at least one of the next. */
async function findPrompts(
  request: ReadRequest,
  { search, ...filters }: PromptQuery,
  after: Place | undefined,
): Promise<PromptRow[]> {
  const rowsMax = limits.promptsMax + 1;
  if (search === undefined) return selectPrompts(request, filters, { after, rowsMax });
  // Compare here, because the databases fold only some letters, and different ones.
  const wanted = searchForm(search);
  const found: PromptRow[] = [];
  let place = after;
  for (;;) {
    const rows = await selectPrompts(request, filters, { after: place, rowsMax: searchedAtOnce });
    found.push(...rows.filter(({ text }) => searchForm(text).includes(wanted)));
    const last = rows.at(-1);
    if (last === undefined || rows.length < searchedAtOnce || found.length >= rowsMax) return found;
    place = { runAt: last.created_at, id: last.id };
  }
}

/** Folds the case, and writes hyphens as spaces: `call-centre` finds "call centre". */
function searchForm(text: string): string {
  return foldCase(text).replaceAll(/[\s\p{Pd}]+/gu, ' ');
}

async function selectPrompts(
  { db, workspaceId }: ReadRequest,
  { prompt_id: ids, active }: PromptQuery,
  { after, rowsMax }: { after?: Place | undefined; rowsMax: number },
): Promise<PromptRow[]> {
  const rows = await db
    .selectFrom('prompts')
    .select(prompts.fields)
    .where('workspace_id', '=', workspaceId)
    .$if(ids !== undefined, (is) => is.where('id', 'in', pad([...new Set(ids?.split(','))])))
    .$if(active !== undefined, (is) => is.where('active', '=', active === 'true'))
    .where(({ ref }) => isAfter(ref('created_at'), ref('id'), after))
    .orderBy(orderBy(orders.prompts))
    .limit(rowsMax)
    .execute();
  return rows.map((row) => ({ ...row, active: Boolean(row.active) }));
}
