import { actions, detections as endpoint, prompts } from '@overheard/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { contentId } from '../../values/uuid.ts';
import { textCell } from '../../storage/cells.ts';
import type { Cells } from '../../storage/cells.ts';
import { pad } from '../../storage/chunks.ts';
import type { Guard, Resource, RowFault, TableSpec } from '../resource.ts';

const row = z.strictObject({
  id: prompts.row.shape.id.optional(),
  prompt_id: actions.row.shape.prompt_id.optional(),
  ...endpoint.row.partial({ subject_id: true, position: true, rank: true, sentiment: true }).shape,
});

/** Guards detections of runs with a stored answer, because these follow only from the answer. */
function answeredRuns(column: 'id' | 'run_id'): Guard {
  return {
    columns: [column],
    lookup: column,
    select: (workspaceId, values) => sql`
      select id as ${sql.ref(column)} from runs
      where workspace_id = ${workspaceId} and outcome is not null and id in (${sql.join(values)})`,
    expected:
      'what follows from the answer that is stored of this run; `overheard answers redetect` judges it again',
  };
}

const runs: TableSpec = {
  name: 'runs',
  columns: ['id', 'prompt_id', 'engine', 'run_at'],
  guard: answeredRuns('id'),
  key: { columns: ['id'], lookup: 'id', words: 'run' },
  daysOf: async (_, { rows }) => ({ detections: rows.map((run) => textCell(run, 'run_at')) }),
};

const ofRun = new Set(['prompt_id', 'engine', 'run_at']);
const columns = row.keyof().options.filter((field) => !ofRun.has(field));

export const detections: Resource = {
  name: 'detections',
  array: endpoint.array,
  row,
  check: checkCited,
  identify: (detection, place) =>
    contentId('detection', [
      detection['run_id'] ?? null,
      detection['subject_type'] ?? null,
      detection['subject_id'] ?? null,
      place,
    ]),
  // Detections of one run without a subject's id are distinguished by their place.
  isRepeatable: (detection) => (detection['subject_id'] ?? null) === null,
  table: {
    name: 'detections',
    columns,
    guard: answeredRuns('run_id'),
    key: { columns: ['id'], lookup: 'id', words: 'id' },
    unique: {
      columns: ['run_id', 'subject_type', 'subject_id'],
      lookup: 'run_id',
      words: 'run and subject',
      isIndexed: true,
    },
    daysOf: async (transaction, { workspaceId, rows }) => {
      if (rows.length === 0) return {};
      const found = await transaction
        .selectFrom('runs')
        .select('run_at')
        .distinct()
        .where('workspace_id', '=', workspaceId)
        .where('id', 'in', pad(rows.map((detection) => textCell(detection, 'run_id'))))
        .execute();
      return { detections: found.map(({ run_at: at }) => at) };
    },
  },
  parent: { table: runs, word: 'run', of: toRun },
  defaults: () => ({}),
  select: (workspaceId) => sql`
    select
      ${sql.join(columns.map((column) => sql.ref(`detections.${column}`)))},
      runs.prompt_id, runs.engine, runs.run_at, runs.id as ordered_run_id
    from runs
    inner join detections
      on detections.workspace_id = ${workspaceId} and detections.run_id = runs.id
    where runs.workspace_id = ${workspaceId}`,
  order: [
    { name: 'run_at', direction: 'desc' },
    // Takes the same value from the table whose index has this order.
    { name: 'run_id', expression: 'ordered_run_id', direction: 'asc' },
    { name: 'subject_type', direction: 'asc' },
    { name: 'rank', direction: 'asc', isNullable: true },
    { name: 'id', direction: 'asc' },
  ],
};

/**
 * A subject that is not cited has neither position nor rank. If they are missing, sets them to
 * null, also in a stored row.
 */
function checkCited(detection: Cells): { cells: Cells } | RowFault | undefined {
  if (detection['cited'] === true) return undefined;
  for (const field of ['position', 'rank']) {
    if ((detection[field] ?? null) !== null) {
      return { field, expected: 'nothing (null) where cited is false' };
    }
  }
  return { cells: { ...detection, position: null, rank: null } };
}

function toRun({
  run_id: id = null,
  prompt_id: promptId,
  engine = null,
  run_at: runAt = null,
}: Cells): Cells {
  return { id, ...(promptId !== undefined && { prompt_id: promptId }), engine, run_at: runAt };
}
