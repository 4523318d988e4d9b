import { actions as endpoint } from '@overheard/contract';
import { contentId } from '../../values/uuid.ts';
import { recordStatuses } from '../record-statuses.ts';
import { orders } from '../../values/orders.ts';
import type { Resource } from '../resource.ts';
import { selectColumns } from '../select-columns.ts';

export const actions: Resource = {
  name: 'actions',
  array: endpoint.array,
  row: endpoint.row.partial({
    id: true,
    prompt_id: true,
    status: true,
    impact_score: true,
    sov_baseline: true,
    sov_result: true,
    created_at: true,
  }),
  identify: (row) => contentId('action', [row['prompt_id'] ?? null, row['recommendation'] ?? null]),
  table: {
    name: 'actions',
    columns: endpoint.fields,
    key: { columns: ['id'], lookup: 'id', words: 'id' },
    onChanged: recordStatuses,
  },
  defaults: (_row, now) => ({ status: 'open', created_at: now }),
  select: (workspaceId) => selectColumns('actions', endpoint.fields, workspaceId),
  order: orders.actions,
};
