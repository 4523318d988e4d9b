/** Measures the reports of a large workspace, beside the same sums over detections and hits. */
import { sql } from 'kysely';
import { openStore } from '../packages/server/src/storage/open/open-store.ts';
import { readPromptNames } from '../packages/server/src/reports/known-names.ts';
import type { Store } from '../packages/server/src/storage/store.ts';
import { tagPrompts } from '../packages/server/src/workspaces/tags.ts';
import { table, timed, withDatabases } from './bench.ts';
import type { Bench, Cells, Place } from './bench.ts';
import { startServer } from './processes.ts';
import { seed } from './seed.ts';
import type { Shape } from './seed.ts';

/** 500 prompts, each asked once a day on each of 8 engines; a size makes the number of prompts and hits smaller. */
export function largeShape({ scaled }: Pick<Place, 'scaled'>): Shape {
  const [engines, days, prompts] = [8, 180, scaled(500)];
  const runs = engines * days * prompts;
  const hits = scaled(1_000_000);
  return { engines, days, prompts, promptsWithRuns: prompts, runs, subjects: 11, actions: 0, hits };
}

/** What the large workspace has, in words. */
export function largeInWords(place: Pick<Place, 'scaled'>): string {
  const { prompts, hits } = largeShape(place);
  return `SQLite, ${prompts} prompts, 8 engines, 11 subjects, one run a day for 180 days, ${hits.toLocaleString('en-US')} hits.`;
}

const since = new Date(Date.now() - 28 * 86_400_000).toISOString().slice(0, 10);
const reports = [
  ['shares, 28 days and the 28 before, in total', 'shares'],
  ['shares by engine', 'shares?by=engine'],
  ['shares by prompt', 'shares?by=prompt'],
  ['shares by tag, of 33 topics and one tag of half the prompts', 'shares?by=tag'],
  ['shares by prompt of that tag', 'shares?by=prompt&tag=half'],
  ['shares of answers that searched', 'shares?searched=yes'],
  ['shares by day', 'shares?by=day'],
  ['sources by site, 28 days', 'sources'],
  ['sources by page, 28 days', 'sources?by=page'],
  ['crawls by bot, all hits', 'crawls'],
  ['crawls by page', 'crawls?by=page'],
  ['crawls by page, 28 days', `crawls?by=page&from=${since}`],
  ['crawls by day', 'crawls?by=day'],
] as const;
const shares = sql`select d.subject_id, r.prompt_id, r.cohort, count(*), sum(d.cited), sum(d.position is not null), sum(d.url is not null)
  from runs r join detections d on d.workspace_id = r.workspace_id and d.run_id = r.id
  where r.run_at >= ${new Date(Date.now() - 56 * 86_400_000).toISOString()} and r.outcome = 'answered' and r.branded = 0
  group by d.subject_id, r.prompt_id, r.cohort`;
const pages = sql`select host, path, verification, count(*), min(hit_at), max(hit_at) from hits
  group by host, path, verification`;

export const bench: Bench = {
  title: 'Reports',
  about: (place) =>
    `${largeInWords(place)} Responses of the API: the first one after a start, the same again, and the same with the tag of the first (304).`,
  measure: (place) =>
    withDatabases('SQLite', place.folder, async (create) => {
      const database = await create('reports');
      const store = await openStore(database, { mayCreate: true });
      const { id, key } = await seed(store, 'bench', largeShape(place));
      await tagAll(store, id);
      const server = await startServer(database);
      const rows: Cells[] = [];
      for (const [name, path] of reports) {
        rows.push([name, ...(await measureReport(`${server.url}/api/v1/${path}`, key))]);
      }
      for (const [name, query] of [
        ['the sums of shares over detections', shares],
        ['the counts of crawls by page over hits', pages],
      ] as const) {
        rows.push([name, inMs((await timed(() => query.execute(store.reader))).ms), '', '']);
      }
      place.add(table(['report', 'first read', 'repeated', '304'], rows));
      await server.stop();
      await store.close();
    }),
};

/** Gives each prompt one of 33 topics, and every second one a tag. */
async function tagAll(store: Store, workspaceId: string): Promise<void> {
  const ids = [...(await readPromptNames({ db: store.reader, workspaceId })).keys()];
  for (let topic = 0; topic < 33; topic += 1) {
    const own = ids.filter((_, place) => place % 33 === topic);
    await tagPrompts(store, workspaceId, { ids: own, tag: `topic ${topic}`, isTopic: true });
  }
  const half = ids.filter((_, place) => place % 2 === 0);
  await tagPrompts(store, workspaceId, { ids: half, tag: 'half' });
}

/** How long a first response takes, a repeated one, and one without a body. */
async function measureReport(url: string, key: string): Promise<string[]> {
  const read = (tag: Readonly<Record<string, string>> = {}) =>
    timed(async () => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...tag } });
      return { response, body: await response.text() };
    });
  const first = await read();
  const { response, body } = first.result;
  if (response.status !== 200) throw new Error(body);
  const repeated = await read();
  const unchanged = await read({ 'if-none-match': response.headers.get('etag') ?? '' });
  if (unchanged.result.response.status !== 304) throw new Error(`${url} has another tag now.`);
  return [first.ms, repeated.ms, unchanged.ms].map(inMs);
}

function inMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
