import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/storage/open/open-store.ts';
import { newTenant } from './api.ts';
import { startPostgres } from '../stores/postgres.ts';
import { startServer } from './server-process.ts';

test(
  '--database-connections is the most that a server opens, however many requests come',
  { tags: ['long'] },
  async () => {
    const connections = 9;
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const store = await openStore(postgres.url, { mayCreate: true });
    const { key } = await newTenant(store, { clock: Date.now });
    await store.close();
    const watcher = new Client({ connectionString: postgres.url });
    await watcher.connect();
    onTestFinished(() => watcher.end());
    const server = await startServer(postgres.url, [
      '--quota=0',
      `--database-connections=${connections}`,
    ]);
    const seen: number[] = [];
    for (let round = 0; round < 5; round++) {
      const requests = Array.from({ length: 60 }, async (_, index) => {
        const path = ['prompts', 'scores', 'detections', 'actions'][index % 4];
        const response = await fetch(`${server.url}/api/v1/${path}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        await response.text();
        return response.status;
      });
      const [{ rows }, ...statuses] = await Promise.all([
        watcher.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity where application_name = 'overheard'`,
        ),
        ...requests,
      ]);
      seen.push(rows[0]?.count ?? 0);
      const { rows: after } = await watcher.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where application_name = 'overheard'`,
      );
      seen.push(after[0]?.count ?? 0);
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(connections);
    expect(Math.max(...seen)).toBeGreaterThan(connections / 2);
  },
);
