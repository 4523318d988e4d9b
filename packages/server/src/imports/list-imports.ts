import type { Kysely, Selectable } from 'kysely';
import { Refusal } from '../refusals.ts';
import type { DataTables } from '../storage/schema.ts';

/** The record of an import. */
export type ImportRecord = Omit<Selectable<DataTables['imports']>, 'workspace_id'>;

const columns = [
  'id',
  'kind',
  'file',
  'content_hash',
  'imported_at',
  'imported_by',
  'rows_new',
  'rows_changed',
  'rows_unchanged',
  'parents_met',
  'reverted_at',
  'reverted_by',
] as const;

/** Lists the imports of a workspace, the latest first. */
export async function listImports(
  db: Kysely<DataTables>,
  workspaceId: string,
  { limit }: { limit?: number } = {},
): Promise<ImportRecord[]> {
  return db
    .selectFrom('imports')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
}

/** One import by its number. Throws a `Refusal` if there is none. */
export async function findImport(
  db: Kysely<DataTables>,
  workspaceId: string,
  id: number,
): Promise<ImportRecord> {
  const row = await db
    .selectFrom('imports')
    .select(columns)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new Refusal('import_not_found', { id });
  return row;
}

/** The number of an import; undefined for text that is not a number. */
export function parseImportNumber(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
