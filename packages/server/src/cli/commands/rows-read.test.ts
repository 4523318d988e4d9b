import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { answered, noon, startCollecting } from '../../../test/engines/collecting.ts';
import { line, lines } from '../../../test/logs/log-place.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { createPostgres } from '../../../test/stores/stores.ts';

const answers = randomAnswers(420, { beforeMs: noon }).map(({ row }) => row);
const [stored, later] = [answers.slice(20), answers.slice(0, 20)];
const hit = { bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler', path: '/' };
const run = { prompt_id: idOf(5), engine: 'claude', run_at: '2026-11-19T06:00:00Z' };

/** Commands that write into a workspace, and what they get. FOLDER stands for that of the logs. */
const steps: ReadonlyArray<readonly [command: string, rows?: readonly object[]]> = [
  ['import prompts -', [{ id: idOf(5), text: 'Which?', locale: 'en-US' }]],
  [
    'import scores -',
    [{ date: '2026-11-18', engine: 'claude', citations: 1, total_runs: 2, sov: 1 }],
  ],
  ['import actions -', [{ id: idOf(8), recommendation: 'Write.', priority: 'low' }]],
  [
    'import hits -',
    [{ ...hit, method: 'GET', verification: 'verified', hit_at: '2026-11-19T06:00:00Z' }],
  ],
  [
    'import detections -',
    [{ ...run, id: idOf(6), run_id: idOf(7), subject_type: 'brand', cited: true, rank: 1 }],
  ],
  [`actions set ${idOf(8)} --status in_progress`],
  ['answers import -', later],
  ['answers import -', later],
  ['answers remove --engine claude --yes'],
  ['imports revert 8 --yes'],
  ['subject set Globex --alias Globe'],
  ['answers redetect'],
  ['scores rebuild'],
  ['actions derive'],
  ['hits ingest FOLDER/later.log --no-dns'],
  ['hits verify --no-dns'],
  ['hits remove --without-host --yes'],
  ['prune --keep-addresses-days 1'],
  ['collect run --now --at-once 1'],
];

const states = {
  'without statistics': `select pg_clear_relation_stats(schemaname::text, relname::text)
    from pg_stat_user_tables;
    select pg_clear_attribute_stats(schemaname::text, tablename::text, attname::text, inherited)
    from pg_stats where schemaname = 'public'`,
  // As they were when the first workspace was alone.
  'with statistics of one workspace': '',
};

/** Reading a table of few pages is as fast as using its index. */
const smallTable = 1000;

test(
  'on PostgreSQL a write path reads at most 3 times the rows that it reads with true statistics',
  { tags: ['long'] },
  async () => {
    // What the plans by true statistics read, alone in the database.
    const needed = await rowsOfSteps(async () => {});
    for (const [state, statement] of Object.entries(states)) {
      const read = await rowsOfSteps(async (client) => {
        await addWorkspaces(client, 40);
        await client.query(statement);
      });
      for (const [place, [command]] of steps.entries()) {
        const [rows = 0, enough = 0] = [read[place], needed[place]];
        expect(rows, `${command} ${state}`).toBeLessThanOrEqual(3 * enough + smallTable);
      }
    }
  },
);

/** Runs the steps in a workspace with answers and hits. Returns how many rows each has read. */
async function rowsOfSteps(change: (client: Client) => Promise<void>): Promise<number[]> {
  const url = await createPostgres();
  const folder = await mkdtemp(join(tmpdir(), 'overheard-rows-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'access.log'), lines(300));
  await writeFile(join(folder, 'later.log'), line('45.9.148.3', 9500, 'GPTBot/1.3'));
  const here = await startCollecting(url, { prompts: 10 }, answered);
  const act = async (command: string, rows: readonly object[] = []) => {
    const words = `${command.replace('FOLDER', folder)} --workspace acme`;
    const { code, stderr } = await here.run(words, { stdin: JSON.stringify(rows) });
    expect(code, `${command}: ${stderr}`).toBe(0);
  };
  await act('subject add Globex');
  await act('answers import -', stored);
  await act('hits ingest FOLDER/access.log --no-dns');
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('analyze');
    await change(client);
    const counts: number[] = [];
    for (const [command, rows] of steps) {
      const before = await rowsRead(client);
      await act(command, rows);
      counts.push((await rowsRead(client)) - before);
    }
    return counts;
  } finally {
    await client.end();
  }
}

/** Copies every row of the one workspace into others. */
async function addWorkspaces(client: Client, count: number): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`select table_name as name
    from information_schema.columns
    where table_schema = 'public' and column_name = 'workspace_id'`);
  for (const { name } of rows) {
    await client.query(`insert into ${name} select (jsonb_populate_record(${name}, jsonb_build_object(
      'workspace_id', 'other-' || copy))).* from ${name}, generate_series(1, ${count}) as copy`);
  }
}

/** The rows that scans of tables have read so far. */
async function rowsRead(client: Client): Promise<number> {
  // A session reports what it has read when it ends.
  const others = `select 1 from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  while ((await client.query(others)).rowCount !== 0) await sleep(10);
  const { rows } = await client.query<{ sum: string }>(`select
    sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables`);
  return Number(rows[0]?.sum);
}
