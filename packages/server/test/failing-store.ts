/** Stores whose queries fail where a test wants it, as those of a database do that is going away. */
import type { Kysely } from 'kysely';
import type { DataTables } from '../src/storage/schema.ts';
import type { Store } from '../src/storage/store.ts';

/** A store whose short reads fail. */
export function withFailingReads(store: Store, error: Error): Store {
  return { ...store, reader: failingFrom(store.reader, 0, error) };
}

/** A store whose long reads fail from their `first`th query on, counted from 0. */
export function withFailingSnapshots(store: Store, first: number, error: Error): Store {
  return {
    ...store,
    snapshot: async () => {
      const snapshot = await store.snapshot();
      return { ...snapshot, db: failingFrom(snapshot.db, first, error) };
    },
  };
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
