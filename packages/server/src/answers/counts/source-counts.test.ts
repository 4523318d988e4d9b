import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows } from '../../../test/answers/answers.ts';
import { randomWrite, write } from '../../../test/answers/random-writes.ts';
import type { Write } from '../../../test/answers/random-writes.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { readSources } from '../../reports/sources.ts';
import type { SourceQuery } from '../../reports/sources.ts';
import { parseStoredSources, readLinkedPages } from '../../storage/counts/linked-pages.ts';
import type { Store } from '../../storage/store.ts';
import { pageOf } from '../../values/sites/site.ts';
import { rebuildScores } from '../scores/rebuild-scores.ts';

const days = { from: '2026-11-18', to: '2026-11-20' };
const queries: readonly SourceQuery[] = (['site', 'page'] as const).flatMap((by) => [
  { ...days, by },
  { ...days, by, engine: 'gemini', from: '2026-11-19' },
  { ...days, by, locale: 'en-US' },
  { ...days, by, excludesCompetitorPrompts: true },
  { ...days, by, competitorId: idOf(2), locale: 'en-US', excludesCompetitorPrompts: true },
  { ...days, by, competitorId: idOf(3) },
  { ...days, by, competitorId: idOf(4), engine: 'chatgpt' },
]);

const importing: Write = {
  kind: 'import',
  rows: [
    {
      prompt: 'Which tool?',
      engine: 'chatgpt',
      model: 'a',
      locale: 'de-DE',
      run_at: '2026-11-18T00:00:00.000Z',
      answer: 'Take one: Globex, Initech, Hooli.',
      outcome: 'answered',
      queries: undefined,
      sources: ['https://www.g2.com/crm'],
    },
  ],
};
/** Runs that cite a competitor before and after, but another one. */
const archived: Write[] = [importing, { kind: 'archive' }, { kind: 'redetect' }];
const added: Write[] = [importing, { kind: 'add' }, { kind: 'redetect' }];

eachStore('the sources of reports', (open, dialect) => {
  test('the sources of reports match the stored answers after any sequence of writes, with every filter', async () => {
    const { store } = await open();
    await fc.assert(
      fc.asyncProperty(fc.array(randomWrite, { minLength: 1, maxLength: 6 }), async (writes) => {
        const workspaceId = await aWorkspace(store);
        for (const one of writes) {
          await write(store, workspaceId, one);
          for (const query of queries) {
            expect(await readLines(store, workspaceId, query)).toEqual(
              await countByHand(store, workspaceId, query),
            );
          }
          expect(await readLinked(store, workspaceId)).toEqual(
            await findLinkedByHand(store, workspaceId),
          );
        }
        expect(await rebuildScores(store, workspaceId)).toMatchObject({ hasChanged: false });
      }),
      // The examples count as runs.
      { numRuns: cases(dialect === 'sqlite' ? 24 : 6) + 2, examples: [[archived], [added]] },
    );
  });

  test('the sources of reports have the own pages of a branded answer that comes after the counted ones of its day', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const row = { engine: 'chatgpt', run_at: '2026-11-18T06:00:00Z', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...row, prompt: 'Which tool?' }]);
    expect(await readLinked(store, workspaceId)).toEqual([]);
    const sources = ['https://acme.com/x'];
    await importRows(store, workspaceId, [{ ...row, prompt: 'Is Acme good?', sources }]);
    expect(await readLinked(store, workspaceId)).toEqual(sources);
  });
});

async function readLines(store: Store, workspaceId: string, query: SourceQuery): Promise<string[]> {
  const rows = await readSources({ db: store.reader, workspaceId }, query);
  return rows
    .map((row) =>
      [
        row.url ?? row.site,
        row.runs,
        row.brand_runs,
        row.competitor_runs,
        row.gap_runs,
        row.first_cited_at,
        row.last_cited_at,
        row.title,
      ].join(' '),
    )
    .toSorted();
}

/** The expected counts, computed here from all rows. */
async function countByHand(
  store: Store,
  workspaceId: string,
  query: SourceQuery,
): Promise<string[]> {
  const all = await readRuns(store, workspaceId, query);
  const detections = await store.reader
    .selectFrom('detections')
    .select(['run_id', 'subject_type', 'subject_id'])
    .where('workspace_id', '=', workspaceId)
    .where('cited', '=', true)
    .execute();
  const runs = all.filter(
    ({ id }) =>
      query.competitorId === undefined ||
      detections.some((one) => one.run_id === id && one.subject_id === query.competitorId),
  );
  const citing = new Set(detections.map((one) => `${one.run_id} ${one.subject_type}`));
  const cited = runs.flatMap((run) => {
    const sites: string[] = JSON.parse(run.sites);
    const pages = parseStoredSources(run.sources).flatMap(({ url, title = '' }) => {
      const page = pageOf(url)?.url;
      return page === undefined ? [] : [{ name: page, title }];
    });
    const names = query.by === 'site' ? sites.map((name) => ({ name, title: '' })) : pages;
    return names
      .filter(({ name }, place) => names.findIndex((other) => other.name === name) === place)
      .map((one) => ({ ...one, run }));
  });
  return [...Map.groupBy(cited, ({ name }) => name)]
    .map(([name, ofName]) => {
      const brand = ofName.filter(({ run }) => citing.has(`${run.id} brand`));
      const competitor = ofName.filter(({ run }) => citing.has(`${run.id} competitor`));
      const gap = competitor.filter((one) => !brand.includes(one));
      const times = ofName.map(({ run }) => run.run_at).toSorted();
      const counts = [ofName, brand, competitor, gap].map((each) => each.length);
      const latest = ofName
        .filter(({ title }) => title !== '')
        .reduce(
          (best, { run, title }) => (run.run_at >= best.at ? { at: run.run_at, title } : best),
          { at: '', title: '' },
        );
      return [name, ...counts, times[0], times.at(-1), latest.title].join(' ');
    })
    .toSorted();
}

async function readLinked(store: Store, workspaceId: string): Promise<string[]> {
  const pages: string[] = [];
  for await (const page of readLinkedPages(store.reader, workspaceId, days)) pages.push(page);
  return pages.toSorted();
}

/** The pages of answered runs that cite the brand by a link, from all rows. */
async function findLinkedByHand(store: Store, workspaceId: string): Promise<string[]> {
  const runs = await store.reader
    .selectFrom('runs')
    .innerJoin('answers', 'answers.run_id', 'runs.id')
    .innerJoin('detections', 'detections.run_id', 'runs.id')
    .select(['outcome', 'subject_type', 'url', 'sources'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('answers.workspace_id', '=', workspaceId)
    .where('detections.workspace_id', '=', workspaceId)
    .execute();
  const linking = runs.filter(
    (run) => run.outcome === 'answered' && run.subject_type === 'brand' && run.url !== null,
  );
  // The answers themselves have no links.
  const urls = linking.flatMap(({ sources }) => parseStoredSources(sources).map(({ url }) => url));
  return [...new Set(urls.flatMap((url) => pageOf(url)?.url ?? []))].toSorted();
}

/** Counted runs with their answers, by day and engine. */
async function readRuns(store: Store, workspaceId: string, query: SourceQuery) {
  const runs = await store.reader
    .selectFrom('runs')
    .innerJoin('answers', 'answers.run_id', 'runs.id')
    .innerJoin('prompts', 'prompts.id', 'runs.prompt_id')
    .selectAll('runs')
    .select(['sources', 'sites', 'locale'])
    .where('runs.workspace_id', '=', workspaceId)
    .where('answers.workspace_id', '=', workspaceId)
    .where('prompts.workspace_id', '=', workspaceId)
    .orderBy('run_at')
    .orderBy('runs.id')
    .execute();
  const { from, to, engine, locale, excludesCompetitorPrompts = false } = query;
  const orderOf = (run: (typeof runs)[0]) => `${run.run_at.slice(0, 10)} ${run.engine}`;
  return runs
    .filter((run) => run.outcome === 'answered' && Number(run.branded) === 0)
    .filter(({ run_at: at }) => at.slice(0, 10) >= from && at.slice(0, 10) <= to)
    .filter((run) => engine === undefined || run.engine === engine)
    .filter((run) => locale === undefined || run.locale === locale)
    .filter((run) => !excludesCompetitorPrompts || Number(run.names_competitor) === 0)
    .toSorted((left, right) => {
      if (orderOf(left) === orderOf(right)) return 0;
      return orderOf(left) < orderOf(right) ? -1 : 1;
    });
}
