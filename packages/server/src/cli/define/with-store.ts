import { isMainThread } from 'node:worker_threads';
import { fillRollups } from '../../answers/rollups/fill.ts';
import type { ReportSource } from '../../reports/report-source.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { StoreOptions } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';
import { findWorkspace } from '../../workspaces/workspaces.ts';

/** The page cache of a command whose memory is bounded (`run-in-thread.ts`). */
const boundedCacheKiB = 4096;

/**
 * Opens the database for one command, does the work and closes it. A driver's error of reach, load
 * or space leaves as a `Refusal`, which the command line prints as one sentence.
 */
export async function withStore<Result>(
  url: string,
  work: (store: Store) => Promise<Result>,
  options: Pick<StoreOptions, 'mayCreate' | 'onCreate'> = {},
): Promise<Result> {
  // At most: a command does few things at a time, and opens what it needs.
  const store = await openStore(url, {
    ...options,
    connectionsMax: 8,
    cacheKiB: isMainThread ? undefined : boundedCacheKiB,
  });
  try {
    return await work(store);
  } catch (error) {
    throw store.mapFailure(error);
  } finally {
    await store.close();
  }
}

/** Opens the database, runs the work with the workspace of a slug, and closes the database. */
export async function inWorkspace<Result>(
  { database, workspace: slug }: { database: string; workspace: string },
  work: (store: Store, workspaceId: string) => Promise<Result>,
): Promise<Result> {
  return withStore(database, async (store) => {
    const workspace = await findWorkspace(store.reader, slug);
    return work(store, workspace.id);
  });
}

/**
 * Reads of one moment of a workspace's data. Fills its rollups first, because after an upgrade a
 * report may come before the server's next start.
 */
export async function inSnapshot<Result>(
  { store, workspaceId }: { readonly store: Store; readonly workspaceId: string },
  read: (source: ReportSource) => Promise<Result>,
): Promise<Result> {
  await fillRollups(store, workspaceId);
  const { db, release } = await store.snapshot({ workspaceId });
  try {
    return await read({ db, workspaceId });
  } finally {
    await release();
  }
}
