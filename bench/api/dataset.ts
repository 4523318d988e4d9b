import type { Insertable, Transaction } from 'kysely';
import { createKey } from '../../packages/server/src/access/keys.ts';
import type { DataTables } from '../../packages/server/src/storage/schema.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { createWorkspace } from '../../packages/server/src/workspaces/workspaces.ts';

/** How much data one workspace of the bench has. */
export interface Shape {
  readonly engines: number;
  readonly days: number;
  readonly prompts: number;
  readonly actions: number;
  readonly hits: number;
  readonly runs: number;
  readonly subjects: number;
  /** Prompts among which the runs are shared out. */
  readonly promptsWithRuns: number;
}

export const usualShape: Shape = {
  engines: 8,
  days: 180,
  prompts: 300,
  actions: 200,
  hits: 5000,
  runs: 1000,
  subjects: 5,
  promptsWithRuns: 20,
};

/** A workspace that was made, with a key to it. */
export interface SeededWorkspace {
  readonly id: string;
  readonly key: string;
  /** A prompt that has runs. */
  readonly promptId: string;
}

const batchRows = 500;
const dayMs = 86_400_000;

/** Makes a workspace of this shape, with data up to today, and a key to it. */
export async function seedWorkspace(
  store: Store,
  slug: string,
  shape: Shape = usualShape,
): Promise<SeededWorkspace> {
  const clock = Date.now;
  const brand = { name: 'Acme', domains: ['acme.example'] };
  const { id } = await createWorkspace(store, { slug, name: slug, brand, clock });
  const { key } = await createKey(store, { workspaceId: id, name: 'bench', clock });
  const nowMs = clock();
  await store.writer.transaction().execute(async (transaction) => {
    await insert(transaction, 'scores', scores(id, shape, nowMs));
    await insert(transaction, 'prompts', prompts(id, shape, nowMs));
    await insert(transaction, 'actions', actions(id, shape, nowMs));
    await insert(transaction, 'hits', hits(id, shape, nowMs));
    await insert(transaction, 'runs', runs(id, shape, nowMs));
    await insert(transaction, 'detections', detections(id, shape));
  });
  return { id, key, promptId: uuid(1, 0) };
}

async function insert<Table extends keyof DataTables>(
  transaction: Transaction<DataTables>,
  table: Table,
  rows: Iterable<Insertable<DataTables[Table]>>,
): Promise<void> {
  let batch: Array<Insertable<DataTables[Table]>> = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows) continue;
    await transaction.insertInto(table).values(batch).execute();
    batch = [];
  }
  if (batch.length > 0) await transaction.insertInto(table).values(batch).execute();
}

function* scores(
  workspaceId: string,
  { engines, days }: Shape,
  nowMs: number,
): Generator<Insertable<DataTables['scores']>> {
  for (let index = 0; index < engines * days; index++) {
    yield {
      workspace_id: workspaceId,
      id: uuid(0, index),
      date: moment(nowMs - Math.floor(index / engines) * dayMs).slice(0, 10),
      engine: `engine_${index % engines}`,
      citations: index % 37,
      total_runs: 40,
      sov: ((index * 7919) % 10_000) / 10_000,
      origin: 'imported',
    };
  }
}

function* prompts(
  workspaceId: string,
  { prompts: count }: Shape,
  nowMs: number,
): Generator<Insertable<DataTables['prompts']>> {
  for (let index = 0; index < count; index++) {
    yield {
      workspace_id: workspaceId,
      id: uuid(1, index),
      text: `Which product of kind ${index} suits a company of ${index} people best?`,
      language: 'en',
      locale: 'en-US',
      active: index % 10 !== 0,
      created_at: moment(nowMs - index * 3_600_000),
    };
  }
}

function* actions(
  workspaceId: string,
  { actions: count, prompts: promptCount }: Shape,
  nowMs: number,
): Generator<Insertable<DataTables['actions']>> {
  for (let index = 0; index < count; index++) {
    yield {
      workspace_id: workspaceId,
      id: uuid(2, index),
      prompt_id: uuid(1, index % promptCount),
      recommendation: `Publish a comparison: a competitor is named in ${index % 12} of 12 runs.`,
      priority: (['high', 'medium', 'low'] as const)[index % 3] ?? 'low',
      status: (['open', 'in_progress', 'done', 'dismissed'] as const)[index % 4] ?? 'open',
      impact_score: index % 9 === 0 ? null : ((index * 31) % 1000) / 10,
      sov_baseline: 0.125,
      sov_result: null,
      created_at: moment(nowMs - index * 7_200_000),
    };
  }
}

function* hits(
  workspaceId: string,
  { hits: count }: Shape,
  nowMs: number,
): Generator<Insertable<DataTables['hits']>> {
  const bots = ['GPTBot', 'ClaudeBot', 'PerplexityBot', 'OAI-SearchBot', 'ChatGPT-User'];
  for (let index = 0; index < count; index++) {
    yield {
      workspace_id: workspaceId,
      // Spread like the ids of real hits, which come from their content.
      id: uuid(3, (index * 2_654_435_761) % 4_294_967_296),
      bot_name: bots[index % bots.length] ?? '',
      bot_company: 'OpenAI',
      category: 'crawler',
      path: `/articles/${index % 1000}`,
      method: 'GET',
      status: 200,
      verification: (['verified', 'spoofed', 'unverified'] as const)[index % 3] ?? 'verified',
      hit_at: moment(nowMs - index * 61_003),
    };
  }
}

function* runs(
  workspaceId: string,
  { runs: count, promptsWithRuns }: Shape,
  nowMs: number,
): Generator<Insertable<DataTables['runs']>> {
  for (let index = 0; index < count; index++) {
    yield {
      workspace_id: workspaceId,
      id: uuid(4, index),
      prompt_id: uuid(1, index % promptsWithRuns),
      engine: `engine_${index % 8}`,
      run_at: moment(nowMs - index * 120_000),
    };
  }
}

function* detections(
  workspaceId: string,
  { runs: count, subjects }: Shape,
): Generator<Insertable<DataTables['detections']>> {
  for (let index = 0; index < count * subjects; index++) {
    const subject = index % subjects;
    const isCited = (index * 13) % 3 !== 0;
    yield {
      workspace_id: workspaceId,
      id: uuid(5, index),
      run_id: uuid(4, Math.floor(index / subjects)),
      subject_type: subject === 0 ? 'brand' : 'competitor',
      subject_id: uuid(6, subject),
      cited: isCited,
      position: isCited ? subject * 100 + 7 : null,
      rank: isCited ? subject + 1 : null,
      sentiment: isCited ? 'neutral' : null,
    };
  }
}

function moment(ms: number): string {
  return new Date(ms).toISOString();
}

function uuid(kind: number, number: number): string {
  return `0000000${kind}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
