import type { ShareRow } from '@overheard/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, startApi } from '../../../test/servers/api.ts';
import { aWorkspace, addSubject, importRows, now } from '../../../test/answers/answers.ts';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { readShareRows } from '../../../test/answers/read-share-rows.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { expectedShares } from '../../../test/answers/share-oracle.ts';
import type { OracleQuery } from '../../../test/answers/share-oracle.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { createKey } from '../../access/keys.ts';
import { redetect } from '../../answers/redetect/redetect.ts';
import type { Store } from '../../storage/store.ts';

const subjects = [1, 2, 3].map((number) => ({ id: idOf(number) }));

eachStore('shares', (open) => {
  describe('over 4,000 random runs', () => {
    const known = randomAnswers(4000, { beforeMs: now });
    let store: Store;
    let workspaceId: string;
    beforeAll(async () => {
      ({ store } = await open());
      workspaceId = await aWorkspace(store);
      await importRows(
        store,
        workspaceId,
        known.map(({ row }) => row),
      );
    });

    test.each<[string, OracleQuery]>([
      ['', { by: 'total', from: '2026-10-24', to: '2026-11-20' }],
      ['?by=engine', { by: 'engine', from: '2026-10-24', to: '2026-11-20' }],
      ['?by=locale&from=2026-11-01', { by: 'locale', from: '2026-11-01', to: '2026-11-20' }],
      ['?by=prompt', { by: 'prompt', from: '2026-10-24', to: '2026-11-20' }],
      [
        '?by=week&to=2026-11-15&from=2026-10-20',
        { by: 'week', from: '2026-10-20', to: '2026-11-15' },
      ],
      // Its oldest block has one day: the block after it is compared with days further back.
      [
        '?by=week&to=2026-11-15&from=2026-11-01',
        { by: 'week', from: '2026-11-01', to: '2026-11-15' },
      ],
      ['?by=day&from=2026-11-10', { by: 'day', from: '2026-11-10', to: '2026-11-20' }],
      [
        '?competitor_prompts=exclude&by=engine',
        { by: 'engine', from: '2026-10-24', to: '2026-11-20', excludesCompetitorPrompts: true },
      ],
    ])('every figure of "%s" equals an independent count', async (query, asked) => {
      const rows = await readShareRows(store, workspaceId, query);
      const expected = expectedShares(
        known.map(({ truth }) => truth),
        subjects,
        asked,
      );
      const order = ({
        subject_id: id,
        from,
        engine,
        prompt_id: prompt,
        locale,
      }: (typeof expected)[0]) => JSON.stringify([id, from, engine, prompt, locale]);
      const found = new Map(rows.map((row) => [order(row), row]));
      expect(rows.length).toBe(expected.length);
      for (const row of expected) expect(found.get(order(row))).toMatchObject(row);
    });

    test('filters by engine, locale and prompt give the rows of those groups', async () => {
      const byEngine = await readShareRows(store, workspaceId, '?by=engine');
      const filtered = await readShareRows(store, workspaceId, '?engine=chatgpt');
      const figures = ({ runs, cited, rate_low, rate_change, sov }: ShareRow) => ({
        runs,
        cited,
        rate_low,
        rate_change,
        sov,
      });
      expect(filtered.map(figures)).toEqual(
        byEngine.filter(({ engine }) => engine === 'chatgpt').map(figures),
      );
      const byPrompt = await readShareRows(store, workspaceId, '?by=prompt');
      const prompt = byPrompt[7]?.prompt_id ?? '';
      const ofPrompt = await readShareRows(store, workspaceId, `?prompt_id=${prompt}`);
      expect(ofPrompt.map(figures)).toEqual(
        byPrompt.filter(({ prompt_id: id }) => id === prompt).map(figures),
      );
      const german = await readShareRows(store, workspaceId, '?locale=de-DE&by=locale');
      expect(new Set(german.map(({ locale }) => locale))).toEqual(new Set(['de-DE']));
    });

    test('`surface` keeps answers of apps and answers of APIs apart in shares, sources and answers', async () => {
      const byEngine = await readShareRows(store, workspaceId, '?by=engine');
      const brand = ({ subject_type: type }: ShareRow) => type === 'brand';
      const runsOf = (isApi: boolean) =>
        byEngine
          .filter((row) => brand(row) && row.engine?.endsWith('_api') === isApi)
          .reduce((sum, { runs }) => sum + runs, 0);
      const [app] = await readShareRows(store, workspaceId, '?surface=app');
      const [api] = await readShareRows(store, workspaceId, '?surface=api');
      expect([app?.runs, api?.runs]).toEqual([runsOf(false), runsOf(true)]);
      const prompt = `&prompt_id=${idOf(1)}`;
      expect(await readShareRows(store, workspaceId, `?surface=app${prompt}`)).toEqual([]);
      const server = await startApi(store, { clock: () => now, quota: 0 });
      const { key } = await createKey(store, { workspaceId, name: 'test', clock: () => now });
      for (const [surface, pattern] of [
        ['app', /^(?!.*_api$)/],
        ['api', /_api$/],
      ] as const) {
        const page = await call(server, `/api/v1/answers?surface=${surface}`, { key });
        expect(page.json().answers.length).toBeGreaterThan(0);
        for (const { engine } of page.json().answers) expect(engine).toMatch(pattern);
        expect(page.headers.link).toContain(`surface=${surface}`);
      }
      const sites = async (query: string): Promise<number> => {
        const response = await call(server, `/api/v1/sources${query}`, { key });
        return response.json().sources[0].runs;
      };
      expect(await sites('?surface=api')).toBe(await sites('?engine=perplexity_api'));
      expect(await sites('?surface=app')).toBeLessThan(await sites(''));
    });

    test('a trend that was planted is found, and an engine with another model is not compared', async () => {
      const rows = await readShareRows(store, workspaceId, '?by=engine');
      const verdicts = rows
        .filter(({ subject_type: type }) => type === 'brand')
        .map(({ engine, rate_verdict: verdict }) => [engine, verdict]);
      expect(verdicts).toEqual([
        ['chatgpt', 'up'],
        ['gemini', 'not_comparable'],
        ['perplexity_api', 'within_chance'],
      ]);
    });

    test('the runs that a change leaves out are named, and add up with those it compares', async () => {
      const rows = await readShareRows(store, workspaceId, '?by=engine');
      const [chatgpt, gemini] = rows;
      const left = (gemini?.runs ?? 0) - (gemini?.runs_compared ?? 0);
      expect(gemini?.not_compared).toMatch(
        new RegExp(`^gemini: ${left} now and \\d+ before \\(other model or settings\\)`),
      );
      expect(chatgpt?.rate_compared).not.toBeNull();
      for (const { runs, runs_compared: compared, not_compared: words } of rows) {
        const named = [...(words ?? '').matchAll(/: (\d+) now /g)];
        const sum = named.reduce((total, [, n = '']) => total + Number(n), 0);
        expect(sum + compared).toBe(runs);
      }
    });

    test('a change is the rate of the compared runs minus the rate before', async () => {
      const rows = await readShareRows(store, workspaceId, '?by=week');
      const changed = rows.filter(({ rate_change: change }) => change !== null);
      expect(changed.length).toBeGreaterThan(0);
      for (const { rate_change: change, rate_before: before, rate_compared: after } of changed) {
        expect((after ?? 0) - (before ?? 0)).toBeCloseTo(change ?? 0, 3);
      }
      for (const row of rows.filter(({ rate_change: change }) => change === null)) {
        expect(row).toMatchObject({ rate_before: null, rate_compared: null });
      }
    });

    test('at most `limit` rows are returned, the brand first, with the text of their prompt', async () => {
      const rows = await readShareRows(store, workspaceId, '?by=prompt&limit=50');
      expect(rows).toHaveLength(50);
      expect(rows.slice(0, 45).every(({ subject_type: type }) => type === 'brand')).toBe(true);
      for (const { prompt } of rows) expect(prompt).toMatch(/^(Which tool suits|Is Globex)/);
    });
  });

  test(
    'a competitor that was added later is no 0: it has no rate until the answers are judged again',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const known = randomAnswers(600, { beforeMs: now });
      await importRows(
        store,
        workspaceId,
        known.map(({ row }) => row),
      );
      await addSubject(store, workspaceId, { name: 'Number', number: 4 });
      const [brand, , , added] = await readShareRows(store, workspaceId);
      expect(added).toMatchObject({ name: 'Number', cited: 0, rate: null, sov: null });
      expect(added).toMatchObject({
        rate_verdict: 'not_comparable',
        sov_verdict: 'not_comparable',
      });
      expect(brand?.rate_verdict).not.toBe('not_comparable');
      await redetect(store, { workspaceId });
      const [, , , judged] = await readShareRows(store, workspaceId);
      expect(judged).toMatchObject({ rate: 1, rank_mean: expect.any(Number) });
      expect(judged?.rate_verdict).not.toBe('not_comparable');
    },
  );

  test(
    'shares of voice are compared over the subjects that both periods tracked',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const workspaceId = await aWorkspace(store);
      const known = randomAnswers(2000, { beforeMs: now });
      const isLate = (row: object) => 'run_at' in row && String(row.run_at) >= '2026-10-24';
      const rows = known.map(({ row }) => row);
      await importRows(
        store,
        workspaceId,
        rows.filter((row) => !isLate(row)),
      );
      await addSubject(store, workspaceId, { name: 'Number', number: 4 });
      await importRows(store, workspaceId, rows.filter(isLate));
      const [brand, , , added] = await readShareRows(store, workspaceId, '?engine=chatgpt');
      const truths = known.map(({ truth }) => truth).filter(({ engine }) => engine === 'chatgpt');
      const [expected] = expectedShares(truths, subjects, {
        by: 'total',
        from: '2026-10-24',
        to: '2026-11-20',
      });
      // The runs of today before the competitor was added, by the definition of `runs_tracked`.
      const [all] = await readShareRows(store, workspaceId, '?from=2026-10-01');
      const [, , , late] = await readShareRows(store, workspaceId, '?from=2026-10-01');
      expect(late?.runs_tracked).toBe(late?.cited);
      expect(late?.runs_tracked).toBeLessThan(all?.runs_tracked ?? 0);
      expect(all?.runs_tracked).toBe(all?.runs);
      // Its own share counts the new competitor, the change does not.
      expect(brand?.sov).toBeLessThan(expected?.sov ?? 0);
      expect(brand?.sov_change).toBe(expected?.sov_change);
      expect(added).toMatchObject({ rate: 1, sov_change: null, sov_verdict: 'not_comparable' });
    },
  );

  test('a share of voice has an interval from 10 citations on', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const row = { engine: 'chatgpt', run_at: '2026-11-20T06:00:00Z' };
    const cite = (numbers: readonly number[]) =>
      importRows(
        store,
        workspaceId,
        numbers.map((number) => ({
          ...row,
          prompt: `Question ${number}?`,
          answer: number % 2 === 0 ? 'Acme.' : 'Globex.',
        })),
      );
    await cite([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await readShareRows(store, workspaceId)).toMatchObject([
      { sov: 0.4444, sov_low: null, sov_high: null },
      { sov: 0.5556 },
      { sov: 0 },
    ]);
    await cite([10]);
    const [brand] = await readShareRows(store, workspaceId);
    expect(brand).toMatchObject({ sov: 0.5, sov_low: expect.any(Number) });
  });

  test('the mean rank leaves out runs before 2026-09-26, which have none', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store);
    const row = { prompt: 'Which tool?', engine: 'chatgpt' };
    await importRows(store, workspaceId, [
      { ...row, run_at: '2026-09-25T23:59:59Z', answer: 'Acme.' },
      { ...row, run_at: '2026-09-26T00:00:00Z', answer: 'Globex, then Acme.' },
    ]);
    const [both] = await readShareRows(store, workspaceId, '?from=2026-09-25&to=2026-09-26');
    expect(both).toMatchObject({ cited: 2, rank_mean: 2 });
    const [before] = await readShareRows(store, workspaceId, '?from=2026-09-25&to=2026-09-25');
    expect(before).toMatchObject({ cited: 1, rank_mean: null });
  });

  test('without competitors there is no share of voice, without runs no row', async () => {
    const { store } = await open();
    const workspaceId = await aWorkspace(store, { subjects: [{ name: 'Acme' }] });
    expect(await readShareRows(store, workspaceId)).toEqual([]);
    await importRows(store, workspaceId, [
      { prompt: 'Which tool?', engine: 'chatgpt', run_at: '2026-11-20T06:00:00Z', answer: 'Acme.' },
    ]);
    expect(await readShareRows(store, workspaceId)).toMatchObject([
      {
        runs: 1,
        prompts: 1,
        cited: 1,
        rate: 1,
        rate_low: null,
        sov: null,
        sov_verdict: 'not_comparable',
      },
    ]);
    expect(await readShareRows(store, workspaceId, '?to=2026-11-19')).toEqual([]);
  });
});
