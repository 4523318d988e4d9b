import type { Format } from '../rows/format.ts';
import { refuseIfStopped } from '../rows/stop.ts';
import type { Store } from '../storage/store.ts';
import { rowFormat } from './format-rows.ts';
import { readSlices } from './read-slices.ts';
import type { Resource } from './resource.ts';

export interface ExportOptions {
  readonly workspaceId: string;
  readonly resource: Resource;
  readonly format: Format;
  readonly signal?: AbortSignal | undefined;
  /** Takes a piece of the text; false ends the export. */
  readonly write: (text: string) => Promise<boolean>;
  /** Called after each slice. */
  readonly onProgress?: (rows: number) => void;
}

/**
 * Writes every row of a workspace, as it is stored, in the API's order: one moment of the data, in
 * bounded memory. Returns the number of rows. What it writes can be imported again.
 */
export async function exportRows(
  store: Store,
  { workspaceId, resource, format, signal, write, onProgress = () => {} }: ExportOptions,
): Promise<number> {
  const fields = resource.row.keyof().options;
  const { start, separator, end, row } = rowFormat(format, { fields, array: resource.array });
  const snapshot = await store.snapshot({ workspaceId });
  try {
    let rows = 0;
    let isWanted = await write(start);
    for await (const slice of readSlices(snapshot.db, resource, workspaceId)) {
      refuseIfStopped(signal);
      const text = slice.map(row).join(separator);
      isWanted &&= await write(rows === 0 ? text : separator + text);
      if (!isWanted) return rows;
      rows += slice.length;
      onProgress(rows);
    }
    await write(end);
    return rows;
  } finally {
    await snapshot.release();
  }
}
