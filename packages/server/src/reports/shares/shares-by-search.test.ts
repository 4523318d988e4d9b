import type { ShareRow } from '@overheard/contract';
import { beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { expectedShares } from '../../../test/answers/share-oracle.ts';
import { readShareRows } from '../../../test/answers/read-share-rows.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import type { Store } from '../../storage/store.ts';
import { readAnswerPage } from '../answers.ts';
import { readSourceList } from '../sources.ts';

const subjects = [1, 2, 3].map((number) => ({ id: idOf(number) }));
/** Perplexity never says whether it searched. */
const known = randomAnswers(cases(4000), { beforeMs: now }).map(({ row, truth }, index) => {
  const is = truth.engine === 'perplexity_api' ? undefined : index % 3 === 0 ? 'no' : 'yes';
  const queries = is === undefined ? undefined : is === 'yes' ? ['best tool'] : [];
  return { row: { ...row, queries }, truth, is };
});
const period = { by: 'total', from: '2026-10-24', to: '2026-11-20' } as const;

eachStore('shares of answers that searched', (open) => {
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

  const read = (query: string) => readShareRows(store, workspaceId, query);

  test.each(['yes', 'no'] as const)(
    'figures with searched=%s are those of these answers alone, by each group',
    { tags: ['once'] },
    async (is) => {
      const truths = known.filter((each) => each.is === is).map(({ truth }) => truth);
      for (const by of ['total', 'engine', 'prompt', 'week'] as const) {
        const rows = await read(`?by=${by}&searched=${is}`);
        const expected = expectedShares(truths, subjects, { ...period, by });
        expect(rows).toHaveLength(expected.length);
        for (const [place, row] of expected.entries()) expect(rows[place]).toMatchObject(row);
      }
    },
  );

  test(
    'answers that searched, that did not, and of which it is unknown add up to all, for all prompts and for one',
    { tags: ['once'] },
    async () => {
      const prompt = known.map(({ truth }) => truth).find(({ branded }) => !branded);
      for (const query of [
        'by=total',
        `prompt_id=${prompt?.prompt_id}`,
        'by=day&competitor_prompts=exclude',
      ]) {
        const sums = (rows: readonly ShareRow[]) =>
          rows
            .filter(({ subject_type: type }) => type === 'brand')
            .reduce((sum, { runs }) => sum + runs, 0);
        const [all, yes, no] = [
          await read(`?${query}`),
          await read(`?${query}&searched=yes`),
          await read(`?${query}&searched=no`),
        ];
        const unknown = new Set([...yes, ...no].map((row) => row.search_unknown));
        expect(unknown.size).toBe(1);
        expect(sums(yes)).toBeGreaterThan(0);
        expect(sums(yes) + sums(no) + Number([...unknown][0])).toBe(sums(all));
        expect(new Set(all.map((row) => row.search_unknown))).toEqual(new Set([null]));
      }
      const ofEngine = await read('?engine=perplexity_api&searched=yes');
      expect(ofEngine).toEqual([]);
    },
  );

  test('pages of sources and answers have only answers whose engine searched, or did not', async () => {
    const source = { db: store.reader, workspaceId };
    for (const searched of ['yes', 'no'] as const) {
      const [brand] = await read(`?searched=${searched}`);
      const list = await readSourceList(source, { ...period, by: 'site', start: 0, searched });
      expect(list.runs).toBe(brand?.runs);
      const { rows } = await readAnswerPage(source, { ...period, searched, rowsMax: 50 });
      expect(rows.map(({ queries }) => (queries?.length ?? -1) > 0)).toEqual(
        Array.from({ length: 50 }, () => searched === 'yes'),
      );
    }
  });
});
