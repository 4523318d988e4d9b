import { answers, sources } from '@overheard/contract';
import type { SourceRow } from '@overheard/contract';
import { expect, test } from 'vitest';
import { call, startApi } from '../../test/servers/api.ts';
import { addSubject, aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { randomAnswers } from '../../test/answers/random-answers.ts';
import { idOf } from '../../test/stores/rows.ts';
import { recordStatements } from '../../test/stores/statements.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { importText } from '../../test/answers/transferring.ts';
import { createKey } from '../access/keys.ts';
import { redetect } from '../answers/redetect/redetect.ts';
import type { Store } from '../storage/store.ts';
import { writeWorkspace } from '../storage/write.ts';
import { hits } from '../transfer/resources/hits.ts';

async function readRows(store: Store, workspaceId: string, query = ''): Promise<SourceRow[]> {
  const clock = () => now;
  const api = await startApi(store, { clock, quota: 0 });
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  const response = await call(api, `/api/v1/sources${query}`, { key });
  expect(response.statusCode, response.body).toBe(200);
  return sources.row.array().parse(response.json().sources);
}

const row = { prompt: 'Which tool?', engine: 'chatgpt' };

eachStore('sources', (open) => {
  test('sources are counted once a run, by page without tracking, by site with the links in the text', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const g2 = { url: 'https://www.g2.com/crm?utm_source=chatgpt.com#top', title: 'CRM' };
    await importRows(store, workspaceId, [
      {
        ...row,
        run_at: '2026-11-18T06:00:00Z',
        answer: 'Globex.',
        sources: [g2, { url: 'https://www.g2.com/crm' }],
      },
      {
        ...row,
        run_at: '2026-11-19T06:00:00Z',
        answer: 'Acme, Globex.',
        sources: [{ ...g2, title: 'CRM software' }, { url: 'https://acme.com/x' }],
      },
      { ...row, run_at: '2026-11-19T07:00:00Z', answer: 'See [it](https://g2.com/other).' },
      { ...row, run_at: '2026-11-19T08:00:00Z', answer: 'No.', outcome: 'refused', sources: [g2] },
      {
        ...row,
        prompt: 'Is Acme good?',
        run_at: '2026-11-19T08:00:00Z',
        answer: 'Yes.',
        sources: [g2],
      },
      { ...row, run_at: '2026-10-01T06:00:00Z', answer: 'Globex.', sources: [g2] },
    ]);
    expect(await readRows(store, workspaceId)).toEqual([
      {
        site: 'g2.com',
        url: null,
        title: null,
        owner: 'other',
        owner_id: null,
        runs: 3,
        share: 1,
        brand_runs: 1,
        competitor_runs: 2,
        gap_runs: 1,
        first_cited_at: '2026-11-18T06:00:00.000Z',
        last_cited_at: '2026-11-19T07:00:00.000Z',
        last_crawled_at: null,
        kind: 'review',
      },
      expect.objectContaining({
        site: 'acme.com',
        owner_id: idOf(1),
        runs: 1,
        share: 0.3333,
        kind: 'own',
      }),
    ]);
    expect(await readRows(store, workspaceId, '?by=page')).toMatchObject([
      {
        site: 'g2.com',
        url: 'https://www.g2.com/crm',
        title: 'CRM software',
        runs: 2,
        gap_runs: 1,
      },
      { site: 'acme.com', url: 'https://acme.com/x', title: null, owner: 'brand', runs: 1 },
      { site: 'g2.com', url: 'https://g2.com/other', title: null, runs: 1 },
    ]);
    expect(await readRows(store, workspaceId, '?from=2026-11-20')).toEqual([]);
    const other = await aWorkspace(store);
    expect(await readRows(store, other)).toEqual([]);
  });

  test('sources have the title of the latest run that gave one, whichever engine it was', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const run = (engine: string, hour: string, title?: string) => ({
      ...row,
      locale: 'en-US',
      engine,
      run_at: `2026-11-19T${hour}:00:00Z`,
      answer: 'Acme.',
      sources: [{ url: 'https://g2.com/crm', title }],
    });
    await importRows(store, workspaceId, [
      run('chatgpt', '05', 'Oldest'),
      run('chatgpt', '08', 'Latest'),
      run('chatgpt', '20'),
      run('gemini', '06', 'Older'),
      run('gemini', '21'),
    ]);
    for (const query of ['', '&locale=en-US']) {
      expect(await readRows(store, workspaceId, `?by=page${query}`)).toMatchObject([
        { runs: 5, title: 'Latest', last_cited_at: '2026-11-19T21:00:00.000Z' },
      ]);
    }
  });

  test('the sources of the brand’s own pages have the last verified hit', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    await importRows(store, workspaceId, [
      {
        ...row,
        run_at: '2026-11-19T06:00:00Z',
        answer: 'Acme.',
        sources: ['https://acme.com/x?utm_medium=a', 'https://globex.com/x'],
      },
    ]);
    const hit = {
      bot_name: 'GPTBot',
      bot_company: 'OpenAI',
      category: 'crawler' as const,
      method: 'GET',
      host: 'www.acme.com',
    };
    await store.writer
      .insertInto('hits')
      .values(
        (['verified', 'spoofed'] as const).map((verification, index) => ({
          workspace_id: workspaceId,
          id: idOf(index),
          ...hit,
          path: '/x',
          status: 200,
          verification,
          hit_at: `2026-11-1${7 + index}T06:00:00.000Z`,
          address: null,
          network: null,
          user_agent: null,
          signature: null,
          evidence: null,
        })),
      )
      .execute();
    await importText(
      store,
      { workspaceId, resource: hits },
      JSON.stringify({
        ...hit,
        host: undefined,
        path: '/y',
        verification: 'unverified',
        hit_at: '2026-11-19T06:00:00Z',
      }),
    );
    for (const query of ['', '?by=page']) {
      expect(await readRows(store, workspaceId, query)).toMatchObject([
        { site: 'acme.com', last_crawled_at: '2026-11-17T06:00:00.000Z' },
        { site: 'globex.com', owner: 'competitor', last_crawled_at: null },
      ]);
    }
  });

  test('the sources of the brand’s only domain also have the last hit of a log that names no host', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const run = { ...row, run_at: '2026-11-19T06:00:00Z', answer: 'Acme.' };
    await importRows(store, workspaceId, [{ ...run, sources: ['https://www.acme.com/x'] }]);
    const hit = { bot_name: 'GPTBot', bot_company: 'OpenAI', category: 'crawler', method: 'GET' };
    const at = '2026-11-17T06:00:00.000Z';
    const crawled = { ...hit, path: '/x', verification: 'verified', hit_at: at };
    await importText(store, { workspaceId, resource: hits }, JSON.stringify(crawled));
    const lastCrawled = async (query: string) =>
      (await readRows(store, workspaceId, query)).map((one) => one.last_crawled_at);
    expect(await lastCrawled('?by=page')).toEqual([at]);
    expect(await lastCrawled('')).toEqual([at]);
    const domain = { workspace_id: workspaceId, subject_id: idOf(1), domain: 'acme.de' };
    await writeWorkspace(store, workspaceId, async (transaction) => {
      await transaction.insertInto('subject_domains').values(domain).execute();
      return { hasChanged: true };
    });
    expect(await lastCrawled('?by=page')).toEqual([null]);
  });

  test('the sources of a year take a few statements, and more if its days are large', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const statements = async () => {
      const { sent } = recordStatements();
      const rows = await readRows(store, workspaceId, '?from=2025-11-20&by=page');
      const texts = sent().map(({ text }) => text);
      return { rows, count: texts.filter((text) => text.includes('from source_counts')).length };
    };
    await importRows(
      store,
      workspaceId,
      [3, 100, 363].map((days) => ({
        ...row,
        run_at: new Date(now - days * 86_400_000).toISOString(),
        answer: 'Acme.',
        sources: ['https://g2.com/crm'],
      })),
    );
    const usual = await statements();
    expect(usual.rows).toMatchObject([{ runs: 3, first_cited_at: '2025-11-22T12:00:00.000Z' }]);
    expect(usual.count).toBeLessThan(20);
    const large = JSON.stringify({
      names: ['https://g2.com/x'.padEnd(3_000_000, 'x')],
      cited: [1, 0],
    });
    await store.writer
      .updateTable('source_counts')
      .set({ pages: large })
      .where('workspace_id', '=', workspaceId)
      .execute();
    const { rows, count } = await statements();
    expect(rows).toMatchObject([{ runs: 3 }]);
    expect(count).toBeGreaterThan(usual.count);
  });

  test('the sources equal a count of the answers, stored or live, also after the answers were judged again', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const known = randomAnswers(150, { beforeMs: now });
    await importRows(
      store,
      workspaceId,
      known.map((one) => one.row),
    );
    await addSubject(store, workspaceId, { name: 'Number', number: 4 });
    await redetect(store, { workspaceId });
    const clock = () => now;
    const api = await startApi(store, { clock, quota: 0 });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock });
    for (const filter of ['', '&engine=gemini', '&locale=de-DE']) {
      const rows = await readRows(store, workspaceId, `?by=page${filter}`);
      const all = [];
      for (
        let target: string | undefined = `/api/v1/answers?limit=50${filter}`;
        target !== undefined;
      ) {
        const response = await call(api, target, { key });
        all.push(...answers.row.array().parse(response.json().answers));
        target = /<https:\/\/[^/]+(.*)>/.exec(String(response.headers['link']))?.[1];
      }
      const counted = all.filter(({ outcome, branded }) => outcome === 'answered' && !branded);
      const expected = Map.groupBy(
        counted.flatMap((run) => run.links.map(({ url }) => ({ url, run }))),
        ({ url }) => url,
      );
      expect(rows.length).toBe(expected.size);
      for (const { url, runs, gap_runs: gaps, competitor_runs: competitors } of rows) {
        const own = expected.get(url ?? '') ?? [];
        expect(runs).toBe(own.length);
        const cites = (run: (typeof own)[0]['run'], number: number) =>
          run.cited.some(({ subject_id: id }) => id === idOf(number));
        expect(competitors).toBe(
          own.filter(({ run }) => [2, 3, 4].some((number) => cites(run, number))).length,
        );
        expect(gaps).toBe(own.filter(({ run }) => !cites(run, 1)).length);
      }
    }
  });
});
