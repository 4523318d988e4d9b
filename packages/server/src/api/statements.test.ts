import { endpoints } from '@overheard/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { writeStances } from '../../test/answers/stances.ts';
import { call, newTenant, nowMs, startApi } from '../../test/servers/api.ts';
import { aDetection, aRun, idOf, writeRows } from '../../test/stores/rows.ts';
import { recordStatements } from '../../test/stores/statements.ts';
import type { SentStatement } from '../../test/stores/statements.ts';
import { bothStores, eachStore } from '../../test/stores/stores.ts';
import type { Store } from '../storage/store.ts';
import { workspaceTables } from '../storage/workspace-tables.ts';

const tables: ReadonlySet<string> = new Set([
  ...workspaceTables.data,
  ...workspaceTables.access,
  'workspaces',
]);

/** Finding a key and noting its last use: the only statements without a workspace id. */
const ofKeys =
  /^(select [a-z_, ]+ from keys where (rowid = max\( ifnull\(\(select rowid from keys where )?hash = \$1|update keys set last_used_at = \$1 )/;

const targets = [
  ...endpoints.map(({ path }) => path),
  '/api/v1/actions?status=open',
  `/api/v1/detections?prompt_id=${idOf(1)}`,
  '/api/v1/detections?from=2026-11-01',
  `/api/v1/reports?id=${idOf(1)}`,
  `/api/v1/reports?recount=${idOf(1)}`,
  '/api/v1/agent-hits?from=2026-11-01',
  '/api/v1/scores?unknown=1',
];

/** The tables that a statement reads or writes, one entry per mention. */
function tablesOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|join|into|update) ([a-z_]+)/g)]
    .map(([, table = '']) => table)
    .filter((table) => tables.has(table));
}

/** The values that `workspace_id` is compared with or set to, one entry per mention. */
function workspacesOf({ text, values }: SentStatement): unknown[] {
  const mentions = [
    ...text.matchAll(/workspace_id = (\S+?)(?=[)\s,]|$)/g),
    ...text.matchAll(/from workspaces where id = (\S+?)(?=[)\s,]|$)/g),
    ...text.matchAll(/insert into [a-z_]+ \(workspace_id, .*?\) values \( ?(\S+?),/g),
  ];
  return mentions.map(([, bound = '']) =>
    bound.startsWith('$') ? values[Number(bound.slice(1)) - 1] : bound,
  );
}

eachStore('the statements of the API', (open) => {
  test('every statement of the API names the key’s workspace for every table, and no other', async () => {
    const { store } = await open({ clock: () => nowMs });
    const api = await startApi(store);
    const { workspaceId, key } = await newTenant(store);
    const runs = Array.from({ length: 450 }, (_, index) =>
      aRun({ id: idOf(index), prompt_id: idOf(1) }),
    );
    const detections = runs.map(({ id }) => aDetection({ run_id: id }));
    await writeRows(store, workspaceId, { runs, detections });
    await writeStances(store, workspaceId, [
      { run_at: aRun().run_at, subject: '', stance: 'plain' },
    ]);

    const { sent } = recordStatements();
    for (const target of targets) {
      await call(api, target, { key });
      await call(api, target, { key, method: 'HEAD' });
    }
    const ofWorkspaces = sent().filter(({ text }) => tablesOf(text).length > 0);
    const touched = new Set(ofWorkspaces.flatMap(({ text }) => tablesOf(text)));
    expect([...touched].toSorted()).toEqual([
      'actions',
      'answers',
      'change_days',
      'change_numbers',
      'detections',
      'hit_days',
      'hits',
      'keys',
      'prompt_tags',
      'prompts',
      'published_reports',
      'quota_log',
      'revisions',
      'run_counts',
      'runs',
      'scores',
      'source_counts',
      'source_kinds',
      'stance_labels',
      'stances',
      'subject_aliases',
      'subject_domains',
      'subject_paths',
      'subject_sets',
      'subjects',
      'tags',
      'workspaces',
    ]);
    for (const statement of ofWorkspaces.filter(({ text }) => !ofKeys.test(text))) {
      const workspaces = workspacesOf(statement);
      expect(workspaces.length, statement.text).toBeGreaterThanOrEqual(
        tablesOf(statement.text).length,
      );
      expect(new Set(workspaces), statement.text).toEqual(new Set([workspaceId]));
      expect(statement.text).not.toContain(workspaceId);
    }
  });
});

bothStores('what Citus refuses', (open) => {
  test('the quota statement has no subquery, no clock and only IMMUTABLE functions', async () => {
    const store = await openPostgres();
    const { sent } = recordStatements();
    const { key } = await newTenant(store);
    await call(await startApi(store), '/api/v1/scores', { key });
    const text = sent().find(({ text: one }) => one.includes('insert into quota_log'))?.text ?? '';
    expect(text).toContain('on conflict (workspace_id, endpoint) do update set');
    const insert = text.slice(text.indexOf('insert into'), text.indexOf(' returning'));
    const update = insert.slice(insert.indexOf('do update set'));
    expect(insert).not.toMatch(/\bselect\b/);
    expect(update).not.toMatch(/\b(now|clock_timestamp|current_|localtime|random|nextval)/);

    const functions = [...new Set([...update.matchAll(/(\w+) ?\(/g)].map(([, name = '']) => name))];
    const { rows } = await sql<{ name: string; is_immutable: boolean }>`
        select distinct proname as name, provolatile = 'i' as is_immutable
        from pg_proc where proname in (${sql.join(functions)})`.execute(store.reader);
    expect(functions.length).toBeGreaterThan(0);
    expect(rows.map(({ name }) => name).toSorted()).toEqual(functions.toSorted());
    expect(rows.filter(({ is_immutable }) => !is_immutable)).toEqual([]);
  });

  async function openPostgres(): Promise<Store> {
    const postgres = (await open()).find(({ dialect }) => dialect === 'postgres');
    if (postgres === undefined) throw new Error('There is no PostgreSQL');
    return postgres;
  }
});
