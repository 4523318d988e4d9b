/** Imports and exports of text, without the command line. */
import { Readable } from 'node:stream';
import { inWords } from '../commands/in-words.ts';
import type { Format } from '../../src/rows/format.ts';
import type { Store } from '../../src/storage/store.ts';
import { exportRows } from '../../src/transfer/export-rows.ts';
import { importRows } from '../../src/transfer/import-rows.ts';
import type { RowImportSummary } from '../../src/transfer/import-rows.ts';
import type { Resource } from '../../src/transfer/resource.ts';
import { createWorkspace } from '../../src/workspaces/workspaces.ts';

const clock = (): number => Date.parse('2026-11-20T12:34:56.789Z');

/** What is imported or exported, and where. */
interface Where {
  readonly workspaceId: string;
  readonly resource: Resource;
  readonly format?: Format;
}

/** Makes a workspace and returns its id. */
export async function makeWorkspace(store: Store, slug: string): Promise<string> {
  return (await createWorkspace(store, { slug, name: slug, brand: { name: 'Acme' }, clock })).id;
}

/** Imports the content of a file. */
export async function importText(
  store: Store,
  { workspaceId, resource, format = 'ndjson' }: Where,
  content: string,
): Promise<RowImportSummary> {
  const stream = Readable.from([Buffer.from(content)]);
  const source = { name: 'rows', stream, bytesTotal: undefined };
  return inWords(importRows(store, { workspaceId, resource, source, format, clock }));
}

/** Exports everything of a resource. */
export async function exportText(
  store: Store,
  { workspaceId, resource, format = 'ndjson' }: Where,
): Promise<string> {
  let exported = '';
  const write = async (piece: string): Promise<boolean> => {
    exported += piece;
    return true;
  };
  await exportRows(store, { workspaceId, resource, format, write });
  return exported;
}

/** Rows as NDJSON. */
export function toLines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
