import { openStore } from '../../storage/open/open-store.ts';
import type { StoreOptions } from '../../storage/open/open-store.ts';
import type { Store } from '../../storage/store.ts';

/**
 * Opens the database for one command, does the work and closes it. A driver's error of reach, load
 * or space leaves as a `Refusal`, which the command line prints as one sentence.
 */
export async function withStore<Result>(
  url: string,
  work: (store: Store) => Promise<Result>,
  { mayCreate = false, onCreate }: Pick<StoreOptions, 'mayCreate' | 'onCreate'> = {},
): Promise<Result> {
  const store = await openStore(url, {
    mayCreate,
    ...(onCreate !== undefined && { onCreate }),
    // At most: a command does few things at a time, and opens what it needs.
    connectionsMax: 8,
  });
  try {
    return await work(store);
  } catch (error) {
    throw store.mapFailure(error);
  } finally {
    await store.close();
  }
}
