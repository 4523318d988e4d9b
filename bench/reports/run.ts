/**
 * Measures the reports on SQLite over 500 prompts, 8 engines, 11 subjects and 1,000,000 hits,
 * beside the same sums over detections and hits: `node bench/reports/run.ts [--write]`.
 */
import { join } from 'node:path';
import { sql } from 'kysely';
import { readCrawls } from '../../packages/server/src/reports/crawls.ts';
import { readShares } from '../../packages/server/src/reports/shares/shares.ts';
import { readSources } from '../../packages/server/src/reports/sources.ts';
import { openStore } from '../../packages/server/src/storage/open/open-store.ts';
import { runBench, table } from '../bench.ts';
import { seed, size } from './seed.ts';

const about = `SQLite, ${size.prompts} prompts, ${size.engines} engines, ${size.subjects} subjects, one run a day for ${size.days} days, ${size.hits.toLocaleString('en')} hits of 174 days. First reads, not cached; a repeated read comes from the cache of bodies.`;

await runBench({ section: 'reports', title: 'Reports', about }, async ({ folder, add }) => {
  const store = await openStore(`file:${join(folder, 'bench.db')}`, { mayCreate: true });
  const workspaceId = await seed(store);
  process.stderr.write('seeded\n');
  const source = { db: store.reader, workspaceId };
  const period = { from: '2026-10-24', to: '2026-11-20' };
  const base = { ...period, withoutCompetitorPrompts: false, rowsMax: 1000 };
  const measured = [
    await measure('shares, 28 days and the 28 before, in total', () =>
      readShares(source, { ...base, by: 'total' }),
    ),
    await measure('shares by engine', () => readShares(source, { ...base, by: 'engine' })),
    await measure('shares by prompt', () => readShares(source, { ...base, by: 'prompt' })),
    await measure('shares by day', () => readShares(source, { ...base, by: 'day' })),
    await measure('the sums of shares over detections', () =>
      sql`select d.subject_id, r.prompt_id, r.cohort, count(*), sum(d.cited), sum(d.position is not null), sum(d.url is not null)
        from runs r join detections d on d.workspace_id = r.workspace_id and d.run_id = r.id
        where r.workspace_id = ${workspaceId} and r.run_at >= '2026-09-26T' and r.outcome = 'answered' and r.branded = 0
        group by d.subject_id, r.prompt_id, r.cohort`.execute(store.reader),
    ),
    await measure('sources by site, 28 days', () => readSources(source, { ...period, by: 'site' })),
    await measure('sources by page, 28 days', () => readSources(source, { ...period, by: 'page' })),
    await measure('crawls by bot, 1,000,000 hits', () => readCrawls(source, { by: 'bot' })),
    await measure('crawls by page', () => readCrawls(source, { by: 'page' })),
    await measure('crawls by day', () => readCrawls(source, { by: 'day' })),
    await measure('the counts of crawls by page over hits', () =>
      sql`select host, path, verification, count(*), min(hit_at), max(hit_at) from hits
        where workspace_id = ${workspaceId} group by host, path, verification`.execute(
        store.reader,
      ),
    ),
  ];
  add(table(['report', 'first read'], measured));
  await store.close();
});

async function measure(name: string, read: () => Promise<unknown>): Promise<[string, string]> {
  const begin = performance.now();
  await read();
  return [name, `${Math.round(performance.now() - begin)} ms`];
}
