import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { pad } from './chunks.ts';
import type { ImportKind } from './tables/import-tables.ts';
import type { DataTables } from './schema.ts';

/** The facts about an imported file. */
export interface RecordedFile {
  readonly kind: ImportKind;
  readonly file: string;
  readonly contentHash: string;
  /** The user; undefined on the command line. */
  readonly importedBy?: string | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** How many rows of a file were new, changed or unchanged. */
export interface ImportCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows of the parent table that were already stored. */
  readonly parentsMet: number;
}

/**
 * Writes a file's rows with `write`, which marks them with the number of the import, and records
 * the import. Runs in the transaction that holds the workspace's lock. Also returns the number.
 */
export async function recordImport<Result>(
  transaction: Transaction<DataTables>,
  workspaceId: string,
  {
    file: { kind, file, contentHash, importedBy, clock },
    write,
    countsOf,
  }: {
    file: RecordedFile;
    write: (importId: number) => Promise<Result>;
    countsOf: (result: Result) => ImportCounts;
  },
): Promise<Result & { readonly importId: number }> {
  const { last } = await transaction
    .selectFrom('imports')
    .select(({ fn }) => fn.max<number | null>('id').as('last'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  const importId = (last ?? 0) + 1;
  const result = await write(importId);
  const counts = countsOf(result);
  await transaction
    .insertInto('imports')
    .values({
      workspace_id: workspaceId,
      id: importId,
      kind,
      file,
      content_hash: contentHash,
      imported_at: new Date(clock()).toISOString(),
      imported_by: importedBy ?? null,
      rows_new: counts.new,
      rows_changed: counts.changed,
      rows_unchanged: counts.unchanged,
      parents_met: counts.parentsMet,
    })
    .execute();
  return { ...result, importId };
}

/** Marks rows of earlier imports as part of this one, too. A row is marked only once. */
export async function confirmRows(
  db: Kysely<DataTables>,
  table: keyof DataTables,
  { workspaceId, ids, importId }: { workspaceId: string; ids: readonly string[]; importId: number },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update ${sql.table(table)} set later_import_id = ${importId}
    where workspace_id = ${workspaceId} and id in (${sql.join(pad(ids))})
      and import_id < ${importId} and later_import_id is null`.execute(db);
}
