import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { requireCitus } from '../../src/storage/postgres/citus.ts';
import { runCommand } from '../commands/command-line.ts';
import { createAcme, inStore } from './case.ts';
import type { RefusalCases } from './case.ts';

export const serverCases = {
  port_unavailable: {
    facts: () => ({ host: '127.0.0.1', port: 8484, fault: 'taken' }),
    provoke: async (place) => {
      await createAcme(place);
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' ? String(address?.port) : '';
      try {
        const outcome = await place.run('serve', '--port', port);
        return { ...outcome, stderr: outcome.stderr.replace(port, '8484') };
      } finally {
        other.close();
      }
    },
  },
  host_not_local: {
    // An address for documentation, which no machine has (RFC 5737).
    facts: () => ({ host: '192.0.2.1' }),
    provoke: async (place) => {
      await createAcme(place);
      return place.run('serve', '--host', '192.0.2.1', '--port', '0');
    },
  },
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
  keys_file_of_postgres: {
    facts: () => ({}),
    provoke: () =>
      runCommand(['doctor', '--new-keys-file', '--database', 'postgres://ada@db/overheard']),
  },
} as const satisfies Partial<RefusalCases>;
