import { beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { aPrompt, idOf, writeRows } from '../../../test/stores/rows.ts';
import { expectedShares } from '../../../test/answers/share-oracle.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { switchPrompts } from '../../collect/prompts.ts';
import type { Store } from '../../storage/store.ts';
import { readPromptList } from './prompt-list.ts';
import type { PromptListQuery } from './prompt-list.ts';
import type { ReportSource } from '../report-source.ts';

const usual: PromptListQuery = {
  from: '2026-10-24',
  to: '2026-11-20',
  excludesCompetitorPrompts: false,
  sort: 'added',
  isDescending: true,
  offset: 0,
  rowsMax: 100,
};

eachStore('the list of prompts', (open) => {
  const known = randomAnswers(cases(3000), { beforeMs: now });
  const truths = known.map(({ truth }) => truth);
  let store: Store;
  let source: ReportSource;
  const list = (query: Partial<PromptListQuery> = {}) =>
    readPromptList(source, { ...usual, ...query });

  beforeAll(async () => {
    ({ store } = await open());
    const workspaceId = await aWorkspace(store);
    source = { db: store.reader, workspaceId };
    await importRows(
      store,
      workspaceId,
      known.map(({ row }) => row),
    );
    const unasked = { ...aPrompt(), id: idOf(77), text: 'Never asked?', locale: 'fr-FR' };
    await writeRows(store, workspaceId, { prompts: [unasked] });
  });

  test('every prompt has the figures of an independent count', async () => {
    const { rows, total, prompts } = await list();
    expect([rows.length, total, prompts]).toEqual([47, 47, 47]);
    const ofApps = truths.filter(({ engine }) => !engine.endsWith('_api'));
    const brand = expectedShares(ofApps, [{ id: idOf(1) }, { id: idOf(2) }, { id: idOf(3) }], {
      by: 'prompt',
      from: usual.from,
      to: usual.to,
    });
    const figures = ['runs', 'cited', 'rate', 'rate_low', 'rate_high', 'sov'] as const;
    for (const row of rows) {
      const [own, ...others] = [1, 2, 3].map((subject) =>
        brand.find((each) => each.prompt_id === row.id && each.subject_id === idOf(subject)),
      );
      for (const figure of figures) expect(row.brand?.[figure]).toEqual(own?.[figure]);
      const most = Math.max(...[own, ...others].map((each) => each?.cited ?? 0));
      expect(row.leader?.cited ?? 0).toBe(most);
      const ofPrompt = truths.filter((run) => run.prompt_id === row.id);
      const inPeriod = ofPrompt.filter((run) => run.run_at >= usual.from);
      expect(row.runs).toBe(inPeriod.length);
      const moments = ofPrompt.map((run) => run.run_at).toSorted();
      expect(row.last_run_at).toBe(moments.at(-1) ?? null);
      expect(row.branded).toBe(ofPrompt[0]?.branded ?? null);
      expect(row.names_competitor).toBe(ofPrompt[0]?.names_competitor ?? null);
    }
  });

  test('the last run is the last one on the engine that is shown', async () => {
    for (const { id, last_run_at } of (await list({ engine: 'gemini' })).rows) {
      const moments = truths
        .filter((run) => run.prompt_id === id && run.engine === 'gemini')
        .map((run) => run.run_at)
        .toSorted();
      expect(last_run_at).toBe(moments.at(-1) ?? null);
    }
  });

  test(
    'pages in any order have every prompt once, with what is not known at the end',
    { tags: ['once'] },
    async () => {
      const sorts = ['added', 'rate', 'last'] as const;
      for (const sort of sorts) {
        for (const isDescending of [true, false]) {
          const pages = await Promise.all(
            [0, 20, 40].map((offset) => list({ sort, isDescending, offset, rowsMax: 20 })),
          );
          const rows = pages.flatMap((page) => page.rows);
          expect(new Set(rows.map(({ id }) => id)).size).toBe(47);
          if (sort !== 'rate') continue;
          const rates = rows.map(({ brand }) => brand?.rate ?? null);
          const first = rates.slice(0, rates.indexOf(null));
          expect(rates.slice(first.length).every((rate) => rate === null)).toBe(true);
          const ascending = first.toSorted((left, right) => Number(left) - Number(right));
          expect(first).toEqual(isDescending ? ascending.toReversed() : ascending);
        }
      }
    },
  );

  test('filters leave the prompts that fit all of them', async () => {
    const idsOf = async (query: Partial<PromptListQuery>) =>
      (await list(query)).rows.map(({ text }) => text).toSorted();
    expect(await idsOf({ text: 'ACME' })).toEqual(['Is Acme any good?']);
    expect(await idsOf({ isBranded: true })).toEqual(['Is Acme any good?']);
    expect(await idsOf({ isBranded: false })).toHaveLength(46);
    expect(await idsOf({ locale: 'fr-FR' })).toEqual(['Never asked?']);
    expect(await idsOf({ excludesCompetitorPrompts: true })).toHaveLength(42);
    expect(await idsOf({ text: '%' })).toEqual([]);
    const { workspaceId } = source;
    await switchPrompts(store, workspaceId, { ids: [idOf(77)], isOn: true });
    await switchPrompts(store, workspaceId, { ids: [idOf(77)], isOn: false, what: 'active' });
    expect(await idsOf({ isCollected: true })).toEqual(['Never asked?']);
    expect(await idsOf({ isActive: false })).toEqual(['Never asked?']);
    expect(await idsOf({ isActive: true, isCollected: true })).toEqual([]);
  });

  test('another workspace sees no prompt of the list', async () => {
    const workspaceId = await aWorkspace(store, { subjects: [] });
    const { rows, prompts } = await readPromptList({ ...source, workspaceId }, usual);
    expect([rows, prompts]).toEqual([[], 0]);
  });
});
