/** Made-up workspaces, whose rows follow from their numbers. */
import { sql } from 'kysely';
import { createKey } from '../packages/server/src/access/keys.ts';
import { fillCounts } from '../packages/server/src/answers/counts/fill-counts.ts';
import { openStore } from '../packages/server/src/storage/open/open-store.ts';
import type { DataTables } from '../packages/server/src/storage/schema.ts';
import type { Store } from '../packages/server/src/storage/store.ts';
import { dayMs } from '../packages/server/src/values/time/utc-day.ts';
import { createWorkspace } from '../packages/server/src/workspaces/workspaces.ts';
import { addSubject } from '../packages/server/src/workspaces/write-subject.ts';

/** How much data a workspace has; its scores, runs and hits are spread over the last `days`. */
export interface Shape {
  readonly engines: number;
  readonly days: number;
  readonly prompts: number;
  /** Prompts among which the runs are shared out. */
  readonly promptsWithRuns: number;
  readonly runs: number;
  readonly subjects: number;
  readonly actions: number;
  readonly hits: number;
}

export interface SeededWorkspace {
  readonly id: string;
  readonly key: string;
  /** A prompt that has runs. */
  readonly promptId: string;
}

const clock = Date.now;

/** A database with its workspaces. */
export interface SeededDatabase {
  readonly database: string;
  readonly workspaces: readonly SeededWorkspace[];
}

/** Makes workspaces in a new database. */
export async function seedMany(
  database: string,
  count: number,
  shape: Shape,
): Promise<SeededDatabase> {
  const store = await openStore(database, { mayCreate: true });
  const workspaces: SeededWorkspace[] = [];
  for (let index = 0; index < count; index++) {
    workspaces.push(await seed(store, `bench-${index}`, shape));
  }
  await store.close();
  return { database, workspaces };
}

/** Makes a workspace with data up to today, and a key to it. */
export async function seed(store: Store, slug: string, shape: Shape): Promise<SeededWorkspace> {
  const { id } = await createWorkspace(store, { slug, name: slug, brand: { name: 'Acme' }, clock });
  for (let index = 1; index < shape.subjects; index++) {
    await addSubject(store, id, { words: { name: `Rival ${index}` }, clock });
  }
  const { key } = await createKey(store, { workspaceId: id, name: 'bench', clock });
  const subjects = await store.reader
    .selectFrom('subjects')
    .select(['id as subject_id', 'subject_type'])
    .where('workspace_id', '=', id)
    .orderBy('id')
    .execute();
  const rows = rowsOf(shape, clock());
  await store.write(async (transaction) => {
    const insert = async (
      into: keyof DataTables,
      count: number,
      row: (index: number) => object,
    ): Promise<void> => {
      const write = store.rowStatement(transaction, (some: readonly object[]) =>
        sql`insert into ${sql.table(into)} (${sql.join(Object.keys(some[0] ?? {}).map((name) => sql.ref(name)))})
          values ${sql.join(some.map((each) => sql`(${sql.join(Object.values(each))})`))}`.compile(
          transaction,
        ),
      );
      for (let from = 0; from < count; from += 1024) {
        const length = Math.min(1024, count - from);
        const one = (_: unknown, index: number) => ({ workspace_id: id, ...row(from + index) });
        await write(Array.from({ length }, one));
      }
    };
    await insert('scores', shape.engines * shape.days, rows.score);
    await insert('prompts', shape.prompts, rows.prompt);
    await insert('actions', shape.actions, rows.action);
    await insert('hits', shape.hits, rows.hit);
    await insert('runs', shape.runs, rows.run);
    await insert('answers', shape.runs, rows.answer);
    await insert('detections', shape.runs * subjects.length, (index) => ({
      ...rows.detection(index),
      ...subjects[index % subjects.length],
    }));
    await transaction.deleteFrom('rollup_states').where('workspace_id', '=', id).execute();
  });
  await fillCounts(store, id);
  return { id, key, promptId: idOf('b', 0) };
}

/** The rows of a workspace by their number. */
function rowsOf(shape: Shape, nowMs: number) {
  const at: Moment = (index, count) => {
    const agoMs = Math.floor((index * shape.days * dayMs) / count);
    return new Date(nowMs - agoMs).toISOString();
  };
  return { ...promptRows(shape, at), ...runRows(shape, at), hit: hitRow(shape, at) };
}

/** The moment of a row, of so many that are spread over the days of a shape. */
type Moment = (index: number, count: number) => string;

function promptRows(shape: Shape, at: Moment) {
  return {
    score: (index: number) => ({
      id: idOf('a', index),
      date: at(Math.floor(index / shape.engines), shape.days).slice(0, 10),
      engine: `engine_${index % shape.engines}`,
      citations: index % 37,
      total_runs: 40,
      sov: mixed(index, 7919, 10_000) / 10_000,
      origin: 'imported',
    }),
    prompt: (index: number) => ({
      id: idOf('b', index),
      text: `Which product of kind ${index} suits a company of ${index} people best?`,
      language: 'en',
      locale: 'en-US',
      active: index % 10 === 0 ? 0 : 1,
      created_at: at(index, shape.prompts),
    }),
    action: (index: number) => ({
      id: idOf('c', index),
      prompt_id: idOf('b', index % shape.prompts),
      recommendation: `Publish a comparison: a competitor is named in ${index % 12} of 12 runs.`,
      priority: ['high', 'medium', 'low'][index % 3],
      status: ['open', 'in_progress', 'done', 'dismissed'][index % 4],
      impact_score: index % 9 === 0 ? null : mixed(index, 31, 1000) / 10,
      sov_baseline: 0.125,
      created_at: at(index, shape.actions),
    }),
  };
}

function hitRow(shape: Shape, at: Moment) {
  return (index: number) => ({
    // Spread like the ids of real hits, which come from their content.
    id: idOf('d', (index * 2_654_435_761) % 4_294_967_296),
    bot_name: `Bot${mixed(index, 41, 30)}`,
    bot_company: 'Company',
    category: 'crawler',
    host: 'www.acme.example',
    path: `/blog/some-page-title-${mixed(index, 43, 2000)}`,
    method: 'GET',
    status: 200,
    verification: ['verified', 'spoofed', 'unverified'][index % 3],
    hit_at: at(index, shape.hits),
  });
}

function runRows(shape: Shape, at: Moment) {
  return {
    run: (index: number) => ({
      id: idOf('e', index),
      prompt_id: idOf('b', index % shape.promptsWithRuns),
      engine: `engine_${Math.floor(index / shape.promptsWithRuns) % shape.engines}`,
      run_at: at(index, shape.runs),
      outcome: 'answered',
      branded: 0,
      names_competitor: 0,
      // Of a third it is unknown whether the engine searched.
      searched: [null, 0, 1][index % 3],
      method: 'bench',
    }),
    answer: (index: number) => {
      const numbers = [0, 1, 2, 3].map((place) => index * 5 + place);
      const site = (number: number): string => `site${mixed(number, 31, 300)}.com`;
      const urls = numbers.map((n) => `https://www.${site(n)}/page-${mixed(n, 31, 3000)}`);
      return {
        run_id: idOf('e', index),
        asked: 'Question',
        answer: 'Answer',
        sources: JSON.stringify(urls.map((url) => ({ url }))),
        sites: JSON.stringify(numbers.map(site)),
      };
    },
    detection: (index: number) => {
      const isCited = mixed(index, 37, 10) < 3;
      return {
        id: idOf('f', index),
        run_id: idOf('e', Math.floor(index / shape.subjects)),
        cited: isCited ? 1 : 0,
        position: isCited ? 5 + (index % shape.subjects) : null,
        rank: isCited ? 1 + (index % 3) : null,
        sentiment: isCited ? 'neutral' : null,
      };
    },
  };
}

function mixed(number: number, factor: number, below: number): number {
  return (Math.floor((number * factor) / 7) % 10_007) % below;
}

function idOf(kind: string, number: number): string {
  return `${kind}0000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}
