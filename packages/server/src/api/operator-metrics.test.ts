import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { withFailingReads } from '../../test/stores/failing-store.ts';
import { aRun, idOf, writeReading, writeRows } from '../../test/stores/rows.ts';
import type { Store } from '../storage/store.ts';

const examples = new URL('../../../../examples/prometheus/', import.meta.url);

eachStore('what an operator watches', (open, dialect) => {
  test('a scrape has the gauges of jobs, questions, spend, engines, lists, workspaces and backups, without names', async () => {
    const { store } = await open();
    const { workspaceId } = await newTenant(store);
    await fill(store, workspaceId);
    const api = await startApi(store, {
      lastBackupMs: async () => nowMs - 3_600_000,
      waitingBytes: async () => 4096,
    });
    await call(api, '/healthz');
    const { body } = await call(api, '/metrics');
    for (const line of [
      'overheard_database_up 1',
      'overheard_jobs{kind="import",state="failed"} 1',
      'overheard_readings{state="done"} 2',
      'overheard_spent_usd{scope="all",period="day"} 1.5',
      'overheard_cap_usd{scope="all",period="month"} 40',
      'overheard_engine_off{engine="chatgpt_api"} 1',
      'overheard_lists_timestamp_seconds 1795171200',
      `overheard_last_answer_timestamp_seconds{workspace_id="${workspaceId}"} 1795132800`,
      `overheard_last_ingest_timestamp_seconds{workspace_id="${workspaceId}"} 1795137300`,
      'overheard_received_waiting_bytes 4096',
      `overheard_last_backup_timestamp_seconds ${(nowMs - 3_600_000) / 1000}`,
    ]) {
      expect(body).toContain(`${line}\n`);
    }
    expect(Number(/^overheard_database_size_bytes (\S+)$/m.exec(body)?.[1])).toBeGreaterThan(
      10_000,
    );
    expect(body.includes('overheard_database_connections{state="waiting"}')).toBe(
      dialect === 'postgres',
    );
    expect(body).not.toMatch(/acme/i);

    const names = new Set(Array.from(body.matchAll(/^([a-z_0-9]+)[{ ]/gm), ([, name]) => name));
    // An embedded database has no connections.
    const known = names.union(new Set(['overheard_database_connections']));
    expect(unknownIn(expressions(), known)).toEqual([]);
    expect(unknownIn(['rate(overheard_gone_total[5m])'], names)).toEqual(['overheard_gone_total']);
  });

  test('a scrape while the database is away says so, and has the counters', async () => {
    const { store } = await open();
    const { body, statusCode } = await call(
      await startApi(withFailingReads(store, new Error('away'))),
      '/metrics',
    );
    expect(statusCode).toBe(200);
    expect(body).toContain('overheard_database_up 0\n');
    expect(body).toContain('overheard_quota_failures_total 0\n');
    expect(body).not.toMatch(/^overheard_database_size_bytes/m);
  });
});

async function fill(store: Store, workspaceId: string): Promise<void> {
  await writeRows(store, workspaceId, {
    runs: [
      aRun({ id: idOf(1), run_at: '2026-11-20T00:00:00.000Z', outcome: 'answered' }),
      // Newer runs without an answer do not hide that there is none.
      ...(['failed', 'empty', 'refused'] as const).map((outcome, index) =>
        aRun({ id: idOf(4 + index), run_at: '2026-11-20T01:00:00.000Z', outcome }),
      ),
    ],
  });
  const ledger = await store.ledger({ mayCreate: true });
  for (const number of [1, 2]) {
    await writeReading(store, workspaceId, { id: idOf(number), state: 'done', day: '2026-11-20' });
  }
  const caps = { scope: '', day_micros: null, month_micros: 40e6, open_max: null };
  await ledger?.db.insertInto('operator_caps').values(caps).execute();
  const spent = { scope: '', period: '2026-11-20', spent_micros: 1.5e6, held_micros: 0 };
  await ledger?.db.insertInto('operator_budgets').values(spent).execute();
  const file = { file_key: '1', options_key: '', path: 'a.log', read_bytes: 1, fingerprint: '' };
  await store.writer
    .insertInto('log_files')
    .values({ workspace_id: workspaceId, ...file, updated_at: '2026-11-20T01:15:00.000Z' })
    .execute();
  const check = { file_id: 'a', url: '', checked_at: '2026-11-20T10:40:00.000Z' };
  await store.writer.insertInto('operator_checks').values(check).execute();
  const at = '2026-11-20T00:00:00.000Z';
  const job = { id: idOf(3), kind: 'import', state: 'failed', work: '{}', attempts: 1 } as const;
  await store.access
    .insertInto('jobs')
    .values({ workspace_id: workspaceId, ...job, created_at: at, beat_at: at })
    .execute();
  const engine = { name: 'chatgpt_api', kind: 'chatgpt_api', base_url: 'https://api.example.com' };
  const settings = { model: 'm', key_variable: 'K', has_search: true, searches_max: 1 };
  await store.access
    .insertInto('engines')
    .values({ ...engine, ...settings, output_tokens_max: 1, created_at: at, disabled_at: at })
    .execute();
}

/** The queries of the example dashboard and alert rules. */
function expressions(): string[] {
  const read = (name: string) => readFileSync(new URL(name, examples), 'utf8');
  const target = z.object({ expr: z.string().min(1) });
  const panels = z
    .object({ panels: z.array(z.object({ targets: z.array(target).min(1) })) })
    .parse(JSON.parse(read('grafana.json'))).panels;
  const rules = read('alerts.yaml').matchAll(/^ {6}- alert: \w+\n {8}expr: (.+)\n/gm);
  const all = [
    ...Array.from(rules, ([, expr = '']) => expr),
    ...panels.flatMap((each) => each.targets.map(({ expr }) => expr)),
  ];
  expect(all.length).toBeGreaterThan(20);
  return all;
}

function unknownIn(queries: readonly string[], known: ReadonlySet<string | undefined>): string[] {
  return queries
    .flatMap((query) => Array.from(query.matchAll(/\boverheard_\w+/g), ([name]) => name))
    .filter((name) => !known.has(name));
}
