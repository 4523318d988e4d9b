import type { Transaction } from 'kysely';
import type { DataTables } from './schema.ts';
import type { Store } from './store.ts';
import { tryOut, writeWorkspace } from './write.ts';

/**
 * As `writeWorkspace`; a dry run does everything, and takes it back: what it tells is exactly what
 * would happen.
 */
export function writeOrTry<Result extends { hasChanged: boolean }>(
  store: Store,
  workspaceId: string,
  {
    isDryRun,
    write,
  }: { isDryRun: boolean; write: (transaction: Transaction<DataTables>) => Promise<Result> },
): Promise<Result> {
  return isDryRun
    ? tryOut(store, (tried) => writeWorkspace(tried, workspaceId, write))
    : writeWorkspace(store, workspaceId, write);
}
