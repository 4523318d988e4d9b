/** Stores whose queries fail, or are interrupted, where a test wants it. */
import type { Kysely } from 'kysely';
import type { DataTables } from '../../src/storage/schema.ts';
import type { Store } from '../../src/storage/store.ts';

/** A store whose short reads fail. */
export function withFailingReads(store: Store, error: Error): Store {
  return { ...store, reader: failingFrom(store.reader, 0, error) };
}

/** A store whose long reads fail from their `first`th query on, counted from 0. */
export function withFailingSnapshots(store: Store, first: number, error: Error): Store {
  return {
    ...store,
    snapshot: async (options) => {
      const snapshot = await store.snapshot(options);
      return { ...snapshot, db: failingFrom(snapshot.db, first, error) };
    },
  };
}

/** A store that calls a function during its first short read, after the rows have been read. */
export function withInterruptedRead(store: Store, interrupt: () => Promise<void>): Store {
  let isInterrupted = false;
  const reader = store.reader.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!isInterrupted) {
        isInterrupted = true;
        await interrupt();
      }
      return result;
    },
  });
  return { ...store, reader };
}

function failingFrom(db: Kysely<DataTables>, first: number, error: Error): Kysely<DataTables> {
  let queries = 0;
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (queries++ >= first) throw error;
      return result;
    },
  });
}
