import type { ReportSource } from '../../reports/report-source.ts';
import { openStore } from '../../storage/open/open-store.ts';
import type { Store, StoreOptions } from '../../storage/store.ts';
import { findWorkspace } from '../../workspaces/workspaces.ts';

/**
 * Opens the database for one command, does the work and closes it. Turns a driver's error about
 * connecting, load or space into a `Refusal`, which the command line prints as one sentence.
 */
export async function withStore<Result>(
  url: string,
  work: (store: Store) => Promise<Result>,
  options: Pick<StoreOptions, 'mayCreate' | 'onCreate' | 'clock'> = {},
): Promise<Result> {
  // A command does few things at a time, and opens only the connections that it needs.
  const store = await openStore(url, { ...options, connectionsMax: 8 });
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
  options: Pick<StoreOptions, 'clock'> = {},
): Promise<Result> {
  const inIt = async (store: Store): Promise<Result> => {
    const workspace = await findWorkspace(store.reader, slug);
    return work(store, workspace.id);
  };
  return withStore(database, inIt, options);
}

/**
 * Runs reads on one snapshot of a workspace. Fills its counts first, because after an upgrade a
 * report may run before the server starts again.
 */
export async function inSnapshot<Result>(
  { store, workspaceId }: { readonly store: Store; readonly workspaceId: string },
  read: (source: ReportSource) => Promise<Result>,
): Promise<Result> {
  // Most commands read no report and start sooner without these modules.
  const { fillCounts } = await import('../../answers/counts/fill-counts.ts');
  await fillCounts(store, workspaceId);
  const { db, release } = await store.snapshot({ workspaceId });
  try {
    return await read({ db, workspaceId });
  } finally {
    await release();
  }
}
