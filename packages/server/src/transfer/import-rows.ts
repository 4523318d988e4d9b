import type { Transaction } from 'kysely';
import { Faults } from '../rows/fault.ts';
import { readFile } from '../rows/read-file.ts';
import type { FileOptions, FileSummary } from '../rows/read-file.ts';
import { recordImport } from '../storage/record-import.ts';
import type { DataTables } from '../storage/schema.ts';
import { openStaging } from '../storage/staging/staging.ts';
import type { Store } from '../storage/store.ts';
import { readStoredEngines } from '../storage/queries/stored-engines.ts';
import { writeOrTry } from '../storage/write.ts';
import type { Resource } from './resource.ts';
import { rowStager, stageTables } from './stage-rows.ts';
import type { StagedTables } from './stage-rows.ts';
import { writeTable } from './write-table.ts';
import type { RowCounts } from './write-table.ts';

export interface RowImportOptions extends FileOptions {
  readonly workspaceId: string;
  readonly resource: Resource;
  /** The user who imports; undefined on the command line. */
  readonly importedBy?: string | undefined;
  /** Whether to do everything and roll it back. */
  readonly isDryRun?: boolean;
  /** Milliseconds since 1970. New rows without a time get this moment. */
  readonly clock: () => number;
  /** Called with the number of written rows of the file's table. The transaction waits for it. */
  readonly onWritten?: (rows: number) => void | Promise<void>;
}

/** What an import did, or would have done. */
export interface RowImportSummary extends Omit<FileSummary, 'contentHash'> {
  /** The import's number in the workspace; null in a dry run. */
  readonly importId: number | null;
  readonly rows: RowCounts;
  /** Counts of parent rows that these rows imply, such as runs. */
  readonly parents: RowCounts | undefined;
}

/**
 * Imports a file into a workspace, completely or not at all. First reads, checks and stages the
 * file without a lock, so that a slow pipe delays nobody. Then one transaction writes new and
 * changed rows. Throws a `Refusal` that lists the faults of the file.
 */
export async function importRows(
  store: Store,
  options: RowImportOptions,
): Promise<RowImportSummary> {
  const { workspaceId, resource, source } = options;
  const staging = openStaging();
  try {
    const tables = stageTables(staging);
    const stageRow = rowStager(resource, tables);
    const { contentHash, ...reading } = await readFile(options, {
      fields: resource.row.keyof().options,
      array: resource.array,
      take: (row, faults) => {
        stageRow(row, faults);
        return row.value['engine'];
      },
      readStoredEngines: () => readStoredEngines(store.reader, workspaceId),
    });
    staging.seal();
    return { ...reading, ...(await writeTables(store, tables, { ...options, contentHash })) };
  } finally {
    staging.close();
    source.stream.destroy();
  }
}

async function writeTables(
  store: Store,
  tables: StagedTables,
  options: RowImportOptions & { readonly contentHash: string },
): Promise<Pick<RowImportSummary, 'importId' | 'rows' | 'parents'>> {
  const {
    workspaceId,
    resource,
    source,
    contentHash,
    importedBy,
    isDryRun = false,
    clock,
  } = options;
  const file = { kind: resource.name, file: source.name, contentHash, importedBy, clock };
  const { rows, parents, importId } = await writeOrTry(store, workspaceId, {
    isDryRun,
    write: (transaction) =>
      recordImport(transaction, workspaceId, {
        file,
        write: (id) => writeBoth(store, transaction, { tables, options, importId: id }),
        countsOf: (result) => ({
          ...result.rows,
          parentsMet: (result.parents?.changed ?? 0) + (result.parents?.unchanged ?? 0),
        }),
      }),
  });
  return { importId: isDryRun ? null : importId, rows, parents };
}

/** Writes the parents of the rows, then the rows, and derives what depends on them. */
async function writeBoth(
  store: Store,
  transaction: Transaction<DataTables>,
  {
    tables,
    options,
    importId,
  }: { tables: StagedTables; options: RowImportOptions; importId: number },
): Promise<WriteResult> {
  const {
    workspaceId,
    resource,
    source,
    importedBy,
    clock,
    signal,
    onWritten = () => {},
  } = options;
  const { table, parent, identify, defaults } = resource;
  const now = new Date(clock()).toISOString();
  const faults = new Faults();
  const shared = { workspaceId, importId, importedBy, now, faults, signal };
  const parents =
    parent &&
    (await writeTable(store, transaction, {
      ...shared,
      table: parent.table,
      rows: tables.parents,
      complete: (row) => row,
      onProgress: () => {},
    }));
  const rows = await writeTable(store, transaction, {
    ...shared,
    table,
    rows: tables.rows,
    complete: (row) => ({ ...defaults(row, now), id: row['id'] ?? identify(row, 1), ...row }),
    onProgress: onWritten,
  });
  faults.refuse(source.name);
  const isChanged = hasChanged(rows) || hasChanged(parents);
  if (isChanged) await resource.derive?.(store, transaction, workspaceId);
  return { rows, parents, hasChanged: isChanged };
}

interface WriteResult extends Pick<RowImportSummary, 'rows' | 'parents'> {
  readonly hasChanged: boolean;
}

function hasChanged(counts: RowCounts | undefined): boolean {
  return counts !== undefined && counts.new + counts.changed > 0;
}
