import { agentHits as endpoint, prompts } from '@overheard/contract';
import { z } from 'zod';
import { rebuildHitCounts } from '../../storage/counts/hit-counts.ts';
import { contentId } from '../../values/uuid.ts';
import { orders } from '../../values/orders.ts';
import { textCell } from '../../storage/cells.ts';
import type { Resource } from '../resource.ts';
import { selectColumns } from '../select-columns.ts';

const row = z.strictObject({
  id: prompts.row.shape.id.optional(),
  ...endpoint.row.partial({ status: true }).shape,
});
const columns = row.keyof().options;

export const hits: Resource = {
  name: 'hits',
  array: endpoint.array,
  row,
  identify: (hit, place) =>
    contentId('hit', [...endpoint.fields.map((field) => hit[field] ?? null), place]),
  // Two requests may be equal in every field and still be two requests.
  isRepeatable: () => true,
  table: {
    name: 'hits',
    columns,
    key: { columns: ['id'], lookup: 'id', words: 'id' },
    daysOf: async (_, { rows }) => ({ hits: rows.map((hit) => textCell(hit, 'hit_at')) }),
  },
  derive: rebuildHitCounts,
  defaults: () => ({}),
  select: (workspaceId) => selectColumns('hits', columns, workspaceId),
  order: orders.hits,
};
