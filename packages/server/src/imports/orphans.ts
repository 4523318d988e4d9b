import { sql } from 'kysely';
import type { RawBuilder, SqlBool, Transaction } from 'kysely';
import type { ImportKind } from '../storage/tables/import-tables.ts';
import type { DataTables } from '../storage/schema.ts';

/**
 * The kinds of imports that write a table. The kind `own` has its rows; the kinds in `beside` have
 * rows that imply them.
 */
const writers = {
  detections: { own: 'detections', beside: undefined },
  runs: { own: 'answers', beside: 'detections' },
  prompts: { own: 'prompts', beside: 'answers' },
  scores: { own: 'scores', beside: undefined },
  actions: { own: 'actions', beside: undefined },
  hits: { own: 'hits', beside: undefined },
} as const satisfies Readonly<Record<string, { own: ImportKind; beside: ImportKind | undefined }>>;

/** A table whose rows have the numbers of their imports. */
export type MarkedTable = keyof typeof writers;

const tables = ['detections', 'runs', 'prompts', 'scores', 'actions', 'hits'] as const;

/** The tables that an import of a kind writes, in the order in which their rows are removed. */
export function tablesOf(kind: ImportKind): readonly MarkedTable[] {
  return tables.filter((table) => writers[table].own === kind || writers[table].beside === kind);
}

/**
 * Finds the last import that was not reverted and that found stored rows of a table. A row
 * stores its first import and the first later one that confirmed it. Imports after that are not
 * stored, so assume that every import up to the one found has the row.
 */
export async function lastMeeting(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  table: MarkedTable,
): Promise<number> {
  const { own: ownKind, beside } = writers[table];
  const { id } = await transaction
    .selectFrom('imports')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .where('workspace_id', '=', workspaceId)
    .where('reverted_at', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        and([
          eb('kind', '=', ownKind),
          or([eb('rows_changed', '>', 0), eb('rows_unchanged', '>', 0)]),
        ]),
        and([eb('kind', '=', beside ?? ownKind), eb('parents_met', '>', 0)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/**
 * Whether no remaining import has a row: the import that created it is reverted, and so are all
 * later ones that may have it.
 */
export function isOrphan(
  workspaceId: string,
  table: MarkedTable,
  last: number,
): RawBuilder<SqlBool> {
  const [creator, later] = [sql.ref(`${table}.import_id`), sql.ref(`${table}.later_import_id`)];
  const reverted = sql`(
    select imports.id from imports
    where workspace_id = ${workspaceId} and reverted_at is not null)`;
  return sql<SqlBool>`(${creator} in ${reverted}
    and (${later} is null or (${later} in ${reverted} and ${later} > ${last})))`;
}

/** Selects rows that are unchanged since their import and that nothing else needs. */
export function isUntouched(workspaceId: string, table: MarkedTable): RawBuilder<SqlBool> {
  if (table === 'scores') return sql<SqlBool>`scores.origin = 'imported'`;
  if (table === 'prompts') {
    return sql<SqlBool>`not exists (
      select 1 from runs where runs.workspace_id = ${workspaceId} and runs.prompt_id = prompts.id
        and runs.outcome is not null)`;
  }
  if (table === 'actions') {
    return sql<SqlBool>`actions.kind is null and actions.assigned_to is null and actions.note is null
      and not exists (
      select 1 from action_changes where action_changes.workspace_id = ${workspaceId}
        and action_changes.action_id = actions.id)`;
  }
  return sql<SqlBool>`1 = 1`;
}
