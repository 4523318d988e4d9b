import type { Transaction } from 'kysely';
import { Faults } from '../rows/fault.ts';
import type { Format } from '../rows/format.ts';
import { readRows } from '../rows/read-rows.ts';
import type { ReadProgress } from '../rows/read-rows.ts';
import type { Source } from '../rows/source.ts';
import { UnknownEngines } from '../rows/unknown-engines.ts';
import type { DataTables } from '../storage/schema.ts';
import type { Store } from '../storage/store.ts';
import { readStoredEngines } from '../storage/stored-engines.ts';
import { writeOrTry } from '../storage/write.ts';
import { fieldsOf } from './field.ts';
import type { Resource } from './resource.ts';
import { openSpool } from './spool.ts';
import type { Spool } from './spool.ts';
import { rowSpooler } from './spool-rows.ts';
import { writeTable } from './write-table.ts';
import type { Counts } from './write-table.ts';

export interface ImportOptions {
  readonly workspaceId: string;
  readonly resource: Resource;
  readonly source: Source;
  /** Found out where it is undefined. */
  readonly format?: Format | undefined;
  /** Takes engines that look like a misspelling of a known one. */
  readonly hasNewEngine?: boolean;
  /** Does everything and takes it back. */
  readonly isDryRun?: boolean;
  /** Milliseconds since 1970: the moment that new rows get where they bring none. */
  readonly clock: () => number;
  readonly signal?: AbortSignal | undefined;
  readonly onRead?: (progress: ReadProgress) => void;
  /** Told how many rows of the file's table are written; the transaction waits for it. */
  readonly onWritten?: (rows: number) => void | Promise<void>;
}

/** What an import did, or would have done. */
export interface ImportSummary {
  /** Rows of the file, repeated ones included. */
  readonly read: number;
  readonly rows: Counts;
  /** Rows of the other table that these say as well, such as runs. */
  readonly parents: Counts | undefined;
  /** Engines that are new to the workspace and not generally known. */
  readonly newEngines: readonly string[];
}

/**
 * Imports a file into a workspace, whole or not at all. It is read, checked and spooled first: that
 * holds no lock, so that a slow pipe delays nobody. Then one transaction writes what is new or
 * differs. Throws a `Refusal` that lists what is wrong in the file.
 */
export async function importRows(store: Store, options: ImportOptions): Promise<ImportSummary> {
  const spool = openSpool();
  const faults = new Faults();
  try {
    const reading = await readIntoSpool(store, { spool, faults }, options);
    spool.seal();
    return { ...reading, ...(await writeSpool(store, spool, options)) };
  } catch (error) {
    throw store.mapFailure(error);
  } finally {
    spool.close();
    options.source.stream.destroy();
  }
}

async function readIntoSpool(
  store: Store,
  { spool, faults }: { spool: Spool; faults: Faults },
  { resource, hasNewEngine = false, ...options }: ImportOptions,
): Promise<Pick<ImportSummary, 'read' | 'newEngines'>> {
  const { workspaceId, source, format, signal, onRead } = options;
  const engines = new UnknownEngines();
  const spoolRow = rowSpooler(resource, { spool, faults });
  let read = 0;
  const batches = readRows(source, {
    faults,
    format,
    fields: resource.row.keyof().options,
    array: resource.array,
    signal,
    ...(onRead !== undefined && { onProgress: onRead }),
  });
  for await (const rows of batches) {
    for (const row of rows) {
      spoolRow(row);
      engines.note(row.value['engine'], row.line);
    }
    read += rows.length;
  }
  const newEngines = engines.hasAny
    ? engines.check(await readStoredEngines(store.reader, workspaceId), {
        isAccepted: hasNewEngine,
        faults,
      })
    : [];
  faults.refuse(source.name);
  return { read, newEngines };
}

async function writeSpool(
  store: Store,
  spool: Spool,
  {
    workspaceId,
    resource,
    source,
    isDryRun = false,
    clock,
    signal,
    onWritten = () => {},
  }: ImportOptions,
): Promise<Omit<ImportSummary, 'read' | 'newEngines'>> {
  const { table, parent, identify, defaults } = resource;
  const now = new Date(clock()).toISOString();
  const booleans = new Set(
    fieldsOf(resource.row)
      .filter((field) => field.isBoolean)
      .map(({ name }) => name),
  );
  const faults = new Faults();
  const shared = { workspaceId, booleans, now, faults, signal };
  const write = async (transaction: Transaction<DataTables>): Promise<Written> => {
    const parents =
      parent &&
      (await writeTable(transaction, {
        ...shared,
        table: parent.table,
        rows: spool.table('parents'),
        complete: (row) => row,
        onProgress: () => {},
      }));
    const rows = await writeTable(transaction, {
      ...shared,
      table,
      rows: spool.table('rows'),
      complete: (row) => ({ ...defaults(row, now), id: row['id'] ?? identify(row, 1), ...row }),
      onProgress: onWritten,
    });
    faults.refuse(source.name);
    return { rows, parents, hasChanged: hasChanged(rows) || hasChanged(parents) };
  };
  const { rows, parents } = await writeOrTry(store, workspaceId, { isDryRun, write });
  return { rows, parents };
}

interface Written extends Omit<ImportSummary, 'read' | 'newEngines'> {
  readonly hasChanged: boolean;
}

function hasChanged(counts: Counts | undefined): boolean {
  return counts !== undefined && counts.new + counts.changed > 0;
}
