import { searches } from '@overheard/contract';
import { expect, test } from 'vitest';
import { call, startApi } from '../../test/servers/api.ts';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import { tagPrompts } from '../workspaces/tags.ts';
import { readAnswerPage } from './answers.ts';
import { readSearches, searchWords } from './searches.ts';

const clock = () => now;
const row = { prompt: 'Which tool?', engine: 'chatgpt', locale: 'en-US' };
const rows = [
  {
    ...row,
    run_at: '2026-11-18T06:00:00Z',
    answer: 'Globex.',
    sources: ['https://g2.com/a'],
    queries: ['Best  CRM', 'best crm ', 'crm price'],
  },
  {
    ...row,
    prompt: 'Which one?',
    engine: 'claude_api',
    run_at: '2026-11-19T06:00:00Z',
    answer: 'Acme, Globex.',
    sources: ['https://g2.com/b', 'https://acme.com/x'],
    queries: ['best crm'],
  },
  { ...row, run_at: '2026-11-19T07:00:00Z', answer: 'Acme.', queries: [] },
  { ...row, run_at: '2026-11-19T08:00:00Z', answer: 'Acme.' },
  // None of these is counted.
  {
    ...row,
    prompt: 'Is Acme good?',
    run_at: '2026-11-19T09:00:00Z',
    answer: 'Yes.',
    queries: ['acme'],
  },
  { ...row, run_at: '2026-11-19T10:00:00Z', answer: '', outcome: 'empty', queries: ['crm'] },
  { ...row, run_at: '2026-10-01T06:00:00Z', answer: 'Globex.', queries: ['old'] },
];

eachStore('searches', (open) => {
  test('queries are counted once a run, in any case, with who is cited and the sites of the answers', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    const api = await startApi(store, { clock, quota: 0 });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    const read = async (query = '') => {
      const response = await call(api, `/api/v1/searches${query}`, { key });
      expect(response.statusCode, response.body).toBe(200);
      return searches.row.array().parse(response.json().searches);
    };
    const crm = {
      query: 'Best CRM',
      engines: ['chatgpt', 'claude_api'],
      runs: 2,
      prompts: 2,
      brand_runs: 1,
      competitor_runs: 2,
      gap_runs: 1,
      sites: ['g2.com', 'acme.com'],
      first_searched_at: '2026-11-18T06:00:00.000Z',
      last_searched_at: '2026-11-19T06:00:00.000Z',
    };
    const price = {
      ...crm,
      query: 'crm price',
      engines: ['chatgpt'],
      runs: 1,
      prompts: 1,
      brand_runs: 0,
      competitor_runs: 1,
      sites: ['g2.com'],
      last_searched_at: crm.first_searched_at,
    };
    expect(await read()).toEqual([crm, price]);
    expect(await read('?locale=en-us')).toEqual([crm, price]);
    expect((await read('?engine=claude_api')).map(({ query, runs }) => [query, runs])).toEqual([
      ['best crm', 1],
    ]);
    expect((await read('?from=2026-10-01&to=2026-10-01')).map(({ query }) => query)).toEqual([
      'old',
    ]);
    const source = { db: store.reader, workspaceId };
    const report = await readSearches(source, { from: '2026-11-01', to: '2026-11-20' });
    expect(searchWords(report)).toBe(
      'Engines searched in 2 of 3 answers (unknown for 1 more). 1 of 2 queries never led to an answer that cites the brand.',
    );
  });

  test('each run of 20 days is counted once', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const daily = Array.from({ length: 20 }, (_, day) => ({
      ...row,
      run_at: `2026-11-${String(day + 1).padStart(2, '0')}T06:00:00Z`,
      answer: 'Acme.',
      queries: ['best crm'],
    }));
    await importRows(store, workspaceId, daily);
    const source = { db: store.reader, workspaceId };
    const report = await readSearches(source, { from: '2026-11-01', to: '2026-11-20' });
    expect(report).toMatchObject({ runs: 20, known: 20, searched: 20, rows: [{ runs: 20 }] });
  });

  test('a tag in any case selects the runs of its prompts', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    const { id } = await store.reader
      .selectFrom('prompts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('text', '=', 'Which one?')
      .executeTakeFirstOrThrow();
    await tagPrompts(store, workspaceId, { ids: [id], tag: 'Two Words' });
    const source = { db: store.reader, workspaceId };
    const period = { from: '2026-11-01', to: '2026-11-20' };
    const { runs, rows: found } = await readSearches(source, { ...period, tag: 'two words' });
    expect([runs, found.map(({ query }) => query)]).toEqual([1, ['best crm']]);
  });

  test('exported answers have what engines searched for, and nothing is made up for others', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, rows);
    const source = { db: store.reader, workspaceId };
    const { rows: exported } = await readAnswerPage(source, { rowsMax: 10 });
    const found = exported.map(({ queries }) => queries);
    expect(found).toHaveLength(rows.length);
    expect(found).toEqual(
      expect.arrayContaining([['Best  CRM', 'best crm', 'crm price'], ['best crm'], [], null]),
    );
  });
});
