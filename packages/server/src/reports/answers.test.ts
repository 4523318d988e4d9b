import { answers, scores } from '@overheard/contract';
import type { AnswerRow } from '@overheard/contract';
import { expect, test } from 'vitest';
import { call, publicUrl, startApi } from '../../test/servers/api.ts';
import type { Api } from '../../test/servers/api.ts';
import { cases } from '../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { randomAnswers } from '../../test/answers/random-answers.ts';
import { idOf } from '../../test/stores/rows.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { createKey } from '../access/keys.ts';
import type { Store } from '../storage/store.ts';

const clock = () => now;

async function serve(store: Store, workspaceId: string): Promise<{ api: Api; key: string }> {
  const api = await startApi(store, { clock, quota: 0 });
  const { key } = await createKey(store, { workspaceId, name: 'test', clock });
  return { api, key };
}

async function readPage(api: Api, key: string, target: string) {
  const response = await call(api, target, { key });
  expect(response.statusCode, response.body).toBe(200);
  const link = String(response.headers['link'] ?? '');
  const next = /^<(.*)>; rel="next"$/.exec(link)?.[1];
  expect(link === '' || next?.startsWith(publicUrl), link).toBe(true);
  return {
    rows: answers.row.array().parse(response.json().answers),
    next: next?.slice(publicUrl.length),
  };
}

/** Follows the `Link` headers to the end. */
async function readAll(api: Api, key: string, query: string): Promise<AnswerRow[]> {
  const rows: AnswerRow[] = [];
  for (let target: string | undefined = `/api/v1/answers${query}`; target !== undefined;) {
    const page = await readPage(api, key, target);
    rows.push(...page.rows);
    target = page.next;
  }
  return rows;
}

const unjudged = { stance: null, purpose: null, quote: null };

eachStore('answers', (open) => {
  test('answers have no rank before 2026-09-26', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { api, key } = await serve(store, workspaceId);
    const row = { prompt: 'Which tool?', engine: 'chatgpt', answer: 'Acme.' };
    await importRows(store, workspaceId, [
      { ...row, run_at: '2026-09-25T23:59:59Z' },
      { ...row, run_at: '2026-09-26T00:00:00Z' },
    ]);
    const rows = await readAll(api, key, '?from=2026-09-25&to=2026-09-26');
    expect(rows.map(({ cited }) => cited.map(({ rank }) => rank))).toEqual([[1], [null]]);
  });

  test(
    'answers have the text as it came, the sources with their owners, and who is cited by which sentence',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const { api, key } = await serve(store, workspaceId);
      await importRows(store, workspaceId, [
        {
          id: idOf(9),
          prompt: 'Which tool?',
          engine: 'chatgpt',
          run_at: '2026-11-20T06:00:00Z',
          answer: 'Take **Globex**.\n[Acme](https://acme.com/x) is second.',
          sources: [
            { url: 'https://blog.globex.com/a', title: 'Globex' },
            { url: 'https://www.g2.com/crm' },
          ],
        },
      ]);
      const { rows, next } = await readPage(api, key, '/api/v1/answers');
      expect(next).toBeUndefined();
      expect(rows).toEqual([
        {
          run_id: idOf(9),
          prompt_id: expect.any(String),
          prompt: 'Which tool?',
          branded: false,
          names_competitor: false,
          engine: 'chatgpt',
          model: null,
          cohort: expect.stringMatching(/^[0-9a-f-]{36}$/),
          locale: 'en-US',
          run_at: '2026-11-20T06:00:00.000Z',
          outcome: 'answered',
          text: 'Take **Globex**.\n[Acme](https://acme.com/x) is second.',
          sources: [
            {
              url: 'https://blog.globex.com/a',
              title: 'Globex',
              site: 'globex.com',
              owner: 'competitor',
            },
            { url: 'https://www.g2.com/crm', title: '', site: 'g2.com', owner: 'other' },
          ],
          cited: [
            {
              subject_id: idOf(2),
              name: 'Globex',
              how: 'both',
              position: 7,
              rank: 1,
              sentence: 'Take **Globex**.',
              ...unjudged,
            },
            {
              subject_id: idOf(1),
              name: 'Acme',
              how: 'both',
              position: 18,
              rank: 2,
              sentence: '[Acme](https://acme.com/x) is second.',
              ...unjudged,
            },
          ],
          links: [
            { url: 'https://blog.globex.com/a', site: 'globex.com', owner: 'competitor' },
            { url: 'https://www.g2.com/crm', site: 'g2.com', owner: 'other' },
            { url: 'https://acme.com/x', site: 'acme.com', owner: 'brand' },
          ],
          queries: null,
        },
      ]);
      const other = await aWorkspace(store);
      const foreign = await serve(store, other);
      const target = `/api/v1/answers?run_id=${idOf(9)}`;
      expect((await readPage(foreign.api, foreign.key, target)).rows).toEqual([]);
      expect((await readPage(api, key, target)).rows).toEqual(rows);
    },
  );

  test('answers come in pages of one query, and writes in between neither repeat nor lose a row', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { api, key } = await serve(store, workspaceId);
    const row = (index: number, day: string) => ({
      prompt: index % 2 === 0 ? 'Which tool?' : 'Which one?',
      engine: 'chatgpt',
      // Two runs share each moment: the id decides.
      run_at: `2026-11-${day}T06:00:${String(Math.floor(index / 2)).padStart(2, '0')}Z`,
      answer: index % 3 === 0 ? `Acme ${index}.` : `Globex ${index}.`,
    });
    await importRows(
      store,
      workspaceId,
      Array.from({ length: 21 }, (_, index) => row(index, '18')),
    );
    const all = (await readPage(api, key, '/api/v1/answers?limit=50')).rows;
    expect(all).toHaveLength(21);
    const paged: AnswerRow[] = [];
    let target: string | undefined = '/api/v1/answers?limit=4';
    for (let page = 0; target !== undefined; page += 1) {
      const { rows, next } = await readPage(api, key, target);
      paged.push(...rows);
      target = next;
      await importRows(store, workspaceId, [row(page, '19')]);
    }
    expect(paged).toEqual(all);
    const sorted = all.toSorted((left, right) =>
      left.run_at === right.run_at
        ? left.run_id < right.run_id
          ? -1
          : 1
        : left.run_at < right.run_at
          ? 1
          : -1,
    );
    expect(all).toEqual(sorted);
    const missing = await readAll(api, key, '?cited=false&limit=5&to=2026-11-18');
    expect(missing).toEqual(
      all.filter(({ cited }) => cited.every(({ subject_id: id }) => id !== idOf(1))),
    );
    const ofGlobex = await readAll(api, key, `?subject_id=${idOf(2)}&to=2026-11-18`);
    expect(ofGlobex).toEqual(
      all.filter(({ cited }) => cited.some(({ subject_id: id }) => id === idOf(2))),
    );
  });

  test(
    'the answers refuse a cursor of another query, one that was made up, and a page that is too large',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const { api, key } = await serve(store, workspaceId);
      const row = { prompt: 'Which tool?', engine: 'chatgpt', answer: 'Acme.' };
      await importRows(
        store,
        workspaceId,
        [6, 7].map((hour) => ({ ...row, run_at: `2026-11-18T0${hour}:00:00Z` })),
      );
      const { next = '' } = await readPage(api, key, '/api/v1/answers?limit=1');
      for (const target of [
        next.replace('from=', 'engine=claude&from='),
        `/api/v1/answers?cursor=${'A'.repeat(40)}`,
        '/api/v1/answers?cursor=x',
        '/api/v1/answers?limit=201',
        '/api/v1/answers?limit=0',
        '/api/v1/answers?limit=1e1',
        '/api/v1/answers?cited=yes',
        '/api/v1/answers?from=2026-02-30',
        '/api/v1/answers?from=2026-11-21',
        '/api/v1/answers?from=2025-11-19&to=2026-11-20',
        '/api/v1/answers?subject_id=acme',
      ]) {
        const response = await call(api, target, { key });
        expect(response.statusCode, target).toBe(400);
        expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{}] });
      }
    },
  );

  test('a page has fewer answers if their texts are long', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { api, key } = await serve(store, workspaceId);
    const long = 'x '.repeat(1_200_000);
    await importRows(
      store,
      workspaceId,
      [6, 7, 8].map((hour) => ({
        prompt: 'Which tool?',
        engine: 'chatgpt',
        run_at: `2026-11-18T0${hour}:00:00Z`,
        answer: `Acme ${hour}. ${long}`,
      })),
    );
    const first = await readPage(api, key, '/api/v1/answers');
    expect(first.rows).toHaveLength(1);
    expect(await readAll(api, key, '')).toHaveLength(3);
  });

  test('the answers alone reproduce every score', { tags: ['once'] }, async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const { api, key } = await serve(store, workspaceId);
    const known = randomAnswers(cases(1000), { beforeMs: now });
    await importRows(
      store,
      workspaceId,
      known.map(({ row }) => row),
    );
    const rows = await readAll(api, key, '?from=2026-01-01&limit=50');
    expect(rows).toHaveLength(known.length);

    const scored = scores.row
      .array()
      .parse((await call(api, '/api/v1/scores', { key })).json().scores);
    const counted = rows.filter(({ outcome, branded }) => outcome === 'answered' && !branded);
    const expected = [
      ...Map.groupBy(counted, ({ engine, run_at: at }) => `${at.slice(0, 10)} ${engine}`),
    ].map(([day, runs]) => {
      const cited = runs.flatMap((run) => run.cited);
      const brand = cited.filter(({ subject_id: id }) => id === idOf(1)).length;
      const [date, engine] = day.split(' ');
      const sov = cited.length === 0 ? 0 : Math.round((brand / cited.length) * 10_000) / 10_000;
      return { date, engine, citations: brand, total_runs: runs.length, sov };
    });
    expect(new Set(scored.map((row) => JSON.stringify(row)))).toEqual(
      new Set(expected.map((row) => JSON.stringify(row))),
    );
  });
});
