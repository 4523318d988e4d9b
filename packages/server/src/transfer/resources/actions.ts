import { actions as endpoint } from '@overheard/contract';
import type { Transaction } from 'kysely';
import { textCell } from '../../storage/cells.ts';
import type { DataTables } from '../../storage/schema.ts';
import { contentId } from '../../values/uuid.ts';
import { orders } from '../../values/orders.ts';
import type { ChangedRows, Resource } from '../resource.ts';
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

const status = endpoint.row.shape.status;

/**
 * Records each status that an import sets on a stored action, with its time, like a change by a
 * person.
 */
async function recordStatuses(
  transaction: Transaction<DataTables>,
  { workspaceId, now, importedBy, rows }: ChangedRows,
): Promise<void> {
  const moved = rows.filter(({ before, cells }) => before['status'] !== cells['status']);
  if (moved.length === 0) return;
  const ids = moved.map(({ cells }) => textCell(cells, 'id'));
  const earlier = await transaction
    .selectFrom('action_changes')
    .select(['action_id', (query) => query.fn.max('place').as('place')])
    .where('workspace_id', '=', workspaceId)
    .where('action_id', 'in', ids)
    .groupBy('action_id')
    .execute();
  const places = new Map(earlier.map(({ action_id: id, place }) => [id, place]));
  await transaction
    .insertInto('action_changes')
    .values(
      moved.map(({ before, cells }, index) => ({
        workspace_id: workspaceId,
        action_id: ids[index] ?? '',
        place: (places.get(ids[index] ?? '') ?? 0) + 1,
        status: status.parse(cells['status']),
        before: status.parse(before['status']),
        changed_at: now,
        changed_by: importedBy ?? null,
      })),
    )
    .execute();
}
