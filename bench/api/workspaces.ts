import type { Insertable } from 'kysely';
import { createKey } from '../../packages/server/src/access/keys.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import type { DataTables } from '../../packages/server/src/storage/schema.ts';
import type { Store } from '../../packages/server/src/storage/store.ts';
import { createWorkspace } from '../../packages/server/src/workspaces/workspaces.ts';

/** How much data one workspace of the bench has. */
export const usualShape = {
  engines: 8,
  days: 180,
  prompts: 300,
  actions: 200,
  hits: 5000,
  runs: 1000,
  subjects: 5,
  /** Prompts among which the runs are shared out. */
  promptsWithRuns: 20,
};
type Shape = typeof usualShape;

/** A workspace that was made, with a key to it. */
export interface SeededWorkspace {
  readonly id: string;
  readonly key: string;
  /** A prompt that has runs. */
  readonly promptId: string;
}

/** Makes one workspace with data up to today, and a key to it. */
export async function seedOne(
  database: string,
  slug: string,
  shape: Shape,
): Promise<SeededWorkspace> {
  const store = await openStore(database, { mayCreate: true });
  const workspace = await seedWorkspace(store, slug, shape);
  await store.close();
  return workspace;
}

/** Makes workspaces of the usual shape. */
export async function seedWorkspaces(database: string, count: number): Promise<SeededWorkspace[]> {
  const store = await openStore(database, { mayCreate: true });
  const workspaces: SeededWorkspace[] = [];
  for (let index = 0; index < count; index++) {
    workspaces.push(await seedWorkspace(store, `bench-${index}`, usualShape));
    if (index % 50 === 49) process.stderr.write(`${index + 1} of ${count} workspaces made\n`);
  }
  await store.close();
  return workspaces;
}

async function seedWorkspace(store: Store, slug: string, shape: Shape): Promise<SeededWorkspace> {
  const clock = Date.now;
  const brand = { name: 'Acme', domains: ['acme.example'] };
  const { id } = await createWorkspace(store, { slug, name: slug, brand, clock });
  const { key } = await createKey(store, { workspaceId: id, name: 'bench', clock });
  const rows = rowsOf(id, shape, clock());
  await store.writer.transaction().execute(async (transaction) => {
    const insert = async <Table extends keyof DataTables>(
      into: Table,
      count: number,
      row: (index: number) => Insertable<DataTables[Table]>,
    ): Promise<void> => {
      for (let from = 0; from < count; from += 500) {
        const length = Math.min(500, count - from);
        const values = Array.from({ length }, (_, index) => row(from + index));
        await transaction.insertInto(into).values(values).execute();
      }
    };
    await insert('scores', shape.engines * shape.days, rows.score);
    await insert('prompts', shape.prompts, rows.prompt);
    await insert('actions', shape.actions, rows.action);
    await insert('hits', shape.hits, rows.hit);
    await insert('runs', shape.runs, rows.run);
    await insert('detections', shape.runs * shape.subjects, rows.detection);
  });
  return { id, key, promptId: uuid(1, 0) };
}

/** The rows of a workspace by their number. */
function rowsOf(workspaceId: string, shape: Shape, nowMs: number) {
  const own = { workspace_id: workspaceId };
  const ago = (ms: number): string => new Date(nowMs - ms).toISOString();
  return {
    score: (index: number) => ({
      ...own,
      id: uuid(0, index),
      date: ago(Math.floor(index / shape.engines) * 86_400_000).slice(0, 10),
      engine: `engine_${index % shape.engines}`,
      citations: index % 37,
      total_runs: 40,
      sov: ((index * 7919) % 10_000) / 10_000,
      origin: 'imported' as const,
    }),
    prompt: (index: number) => ({
      ...own,
      id: uuid(1, index),
      text: `Which product of kind ${index} suits a company of ${index} people best?`,
      language: 'en',
      locale: 'en-US',
      active: index % 10 !== 0,
      created_at: ago(index * 3_600_000),
    }),
    action: (index: number) => ({
      ...own,
      id: uuid(2, index),
      prompt_id: uuid(1, index % shape.prompts),
      recommendation: `Publish a comparison: a competitor is named in ${index % 12} of 12 runs.`,
      priority: pick(['high', 'medium', 'low'], index),
      status: pick(['open', 'in_progress', 'done', 'dismissed'], index),
      impact_score: index % 9 === 0 ? null : ((index * 31) % 1000) / 10,
      sov_baseline: 0.125,
      sov_result: null,
      created_at: ago(index * 7_200_000),
    }),
    hit: hitsOf(own, ago),
    run: (index: number) => ({
      ...own,
      id: uuid(4, index),
      prompt_id: uuid(1, index % shape.promptsWithRuns),
      engine: `engine_${index % shape.engines}`,
      run_at: ago(index * 120_000),
    }),
    detection: detectionsOf(own, shape),
  };
}

function hitsOf(own: { readonly workspace_id: string }, ago: (ms: number) => string) {
  return (index: number) => ({
    ...own,
    // Spread like the ids of real hits, which come from their content.
    id: uuid(3, (index * 2_654_435_761) % 4_294_967_296),
    bot_name: pick(['GPTBot', 'ClaudeBot', 'PerplexityBot', 'OAI-SearchBot'], index),
    bot_company: 'OpenAI',
    category: 'crawler' as const,
    path: `/articles/${index % 1000}`,
    method: 'GET',
    status: 200,
    verification: pick(['verified', 'spoofed', 'unverified'], index),
    hit_at: ago(index * 61_003),
  });
}

function detectionsOf(own: { readonly workspace_id: string }, shape: Shape) {
  return (index: number) => {
    const subject = index % shape.subjects;
    const isCited = (index * 13) % 3 !== 0;
    return {
      ...own,
      id: uuid(5, index),
      run_id: uuid(4, Math.floor(index / shape.subjects)),
      subject_type: pick(['brand', 'competitor'], Math.min(subject, 1)),
      subject_id: uuid(6, subject),
      cited: isCited,
      position: isCited ? subject * 100 + 7 : null,
      rank: isCited ? subject + 1 : null,
      sentiment: isCited ? pick(['neutral'], 0) : null,
    };
  };
}

function pick<const Value extends string>(
  values: readonly [Value, ...Value[]],
  index: number,
): Value {
  return values[index % values.length] ?? values[0];
}

function uuid(kind: number, number: number): string {
  return `0000000${kind}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
