import { sql } from 'kysely';
import { requireCitus } from '../../src/storage/postgres/citus.ts';
import { inStore } from './case.ts';
import type { RefusalCases } from './case.ts';

export const serverCases = {
  distribution_of_sqlite: {
    facts: () => ({}),
    provoke: ({ run }) => run('database', 'distribute'),
  },
  citus_missing: {
    facts: () => ({}),
    // As it goes on PostgreSQL without the extension.
    provoke: (place) =>
      inStore(place, async ({ writer }) => {
        await sql`create table pg_extension (extname text)`.execute(writer);
        await requireCitus(writer);
      }),
  },
} as const satisfies Partial<RefusalCases>;
