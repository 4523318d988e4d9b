import type { Format } from '../rows/format.ts';
import { refuseIfStopped } from '../rows/refuse-if-stopped.ts';
import type { Store } from '../storage/store.ts';
import { rowFormat } from './format-rows.ts';
import type { FileCells } from './format-rows.ts';
import { readSlices } from './read-slices.ts';
import type { Resource } from './resource.ts';

/** Options for writing rows. */
export interface SliceOptions {
  readonly format: Format;
  /** Whether CSV is made for people instead of for an import. */
  readonly isForSpreadsheets?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Writes a piece of the text. False ends the export. */
  readonly write: (text: string) => Promise<boolean>;
  /** Called after each slice. */
  readonly onProgress?: (rows: number) => void;
}

export interface ExportOptions extends SliceOptions {
  readonly workspaceId: string;
  readonly resource: Resource;
}

/**
 * Writes every stored row of a workspace in the API's order, from one snapshot and in bounded
 * memory. Returns the number of rows. The output can be imported again.
 */
export async function exportRows(
  store: Store,
  { workspaceId, resource, ...options }: ExportOptions,
): Promise<number> {
  const fields = (resource.exported ?? resource.row).keyof().options;
  const snapshot = await store.snapshot({ workspaceId });
  try {
    const slices = readSlices(snapshot.db, resource, workspaceId);
    return await writeSlices(slices, { ...options, fields, array: resource.array });
  } finally {
    await snapshot.release();
  }
}

/** Writes slices of rows with these fields; `array` names them in JSON. Returns the number of rows. */
export async function writeSlices(
  slices: AsyncIterable<readonly FileCells[]>,
  {
    format,
    fields,
    array,
    isForSpreadsheets,
    signal,
    write,
    onProgress = () => {},
  }: SliceOptions & { readonly fields: readonly string[]; readonly array: string },
): Promise<number> {
  const { start, separator, end, row } = rowFormat(format, { fields, array, isForSpreadsheets });
  let rows = 0;
  let isWanted = await write(start);
  for await (const slice of slices) {
    refuseIfStopped(signal);
    const text = slice.map(row).join(separator);
    isWanted &&= await write(rows === 0 ? text : separator + text);
    if (!isWanted) return rows;
    rows += slice.length;
    onProgress(rows);
  }
  await write(end);
  return rows;
}
