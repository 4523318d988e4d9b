import { prompts, scores as endpoint } from '@overheard/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { contentId } from '../../values/uuid.ts';
import { orders } from '../../values/orders.ts';
import { textCell } from '../../storage/cells.ts';
import type { Resource } from '../resource.ts';
import { selectColumns } from '../select-columns.ts';

const row = z.strictObject({ id: prompts.row.shape.id.optional(), ...endpoint.row.shape });
const columns = row.keyof().options;

export const scores: Resource = {
  name: 'scores',
  array: endpoint.array,
  row,
  check: (score) =>
    Number(score['citations']) > Number(score['total_runs'])
      ? { field: 'citations', expected: `at most total_runs, which is ${score['total_runs']}` }
      : undefined,
  identify: (score) => contentId('score', [score['date'] ?? null, score['engine'] ?? null]),
  table: {
    name: 'scores',
    columns,
    // A score is identified by its day and engine. Its id is stored too.
    key: { columns: ['date', 'engine'], lookup: 'date', words: 'date and engine' },
    unique: { columns: ['id'], lookup: 'id', words: 'id' },
    // Figures that follow from runs are not replaced by imported figures.
    guard: {
      columns: ['date', 'engine'],
      lookup: 'date',
      select: (workspaceId, values) => sql`
        select date, engine from scores
        where workspace_id = ${workspaceId} and origin = 'derived' and date in (${sql.join(values)})`,
    },
    fixed: { origin: 'imported' },
    daysOf: async (_, { rows }) => ({ scores: rows.map((score) => textCell(score, 'date')) }),
  },
  defaults: () => ({}),
  select: (workspaceId) => selectColumns('scores', columns, workspaceId),
  order: orders.scores,
};
