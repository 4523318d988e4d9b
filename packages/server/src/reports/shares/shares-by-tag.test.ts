import { answers, report, sources } from '@overheard/contract';
import type { ShareRow } from '@overheard/contract';
import { beforeAll, expect, test } from 'vitest';
import { cases } from '../../../../../test/cases.ts';
import { aWorkspace, importRows, now } from '../../../test/answers/answers.ts';
import { randomAnswers } from '../../../test/answers/random-answers.ts';
import { expectedShares } from '../../../test/answers/share-oracle.ts';
import { call, startApi } from '../../../test/servers/api.ts';
import { readShareRows as readRows } from '../../../test/answers/read-share-rows.ts';
import { idOf } from '../../../test/stores/rows.ts';
import { eachStore } from '../../../test/stores/stores.ts';
import { createKey } from '../../access/keys.ts';
import type { Store } from '../../storage/store.ts';
import { tagPrompts } from '../../workspaces/tags.ts';

const subjects = [1, 2, 3].map((number) => ({ id: idOf(number) }));
const known = randomAnswers(cases(4000), { beforeMs: now });

eachStore('shares by tag', (open) => {
  let store: Store;
  let workspaceId: string;
  let tagged: ReadonlyMap<string | null, ReadonlySet<string>>;
  beforeAll(async () => {
    ({ store } = await open());
    workspaceId = await aWorkspace(store);
    await importRows(
      store,
      workspaceId,
      known.map(({ row }) => row),
    );
    tagged = await tagSomePrompts(store, workspaceId);
  });

  async function get(path: string): Promise<Record<string, unknown>> {
    const api = await startApi(store, { clock: () => now, quota: 0 });
    const { key } = await createKey(store, { workspaceId, name: 'test', clock: () => now });
    return (await call(api, `/api/v1/${path}`, { key })).json();
  }

  const readShareRows = (query: string) => readRows(store, workspaceId, query);

  test(
    'figures by tag are those of its prompts pooled, and counts by topic add up to the total',
    { tags: ['once'] },
    async () => {
      const period = { by: 'total', from: '2026-10-24', to: '2026-11-20' } as const;
      const byTag = await readShareRows('?by=tag');
      for (const [tag, ids] of tagged) {
        const truths = known.map(({ truth }) => truth).filter((run) => ids.has(run.prompt_id));
        const rows = byTag.filter((row) => row.tag === tag);
        const expected = expectedShares(truths, subjects, period);
        expect(rows).toHaveLength(subjects.length);
        for (const [place, row] of expected.entries()) expect(rows[place]).toMatchObject(row);
      }
      const ofTwo = byTag.filter(({ tag }) => tag === 'two').map((row) => ({ ...row, tag: null }));
      const filtered = await readShareRows('?tag=TWO');
      expect(filtered).toMatchObject(
        ofTwo.map(({ rate_verdict: _, sov_verdict: __, ...row }) => row),
      );
      expect(new Set(byTag.map(({ tag }) => tag))).toEqual(new Set(tagged.keys()));
      const sums = (rows: readonly ShareRow[]) =>
        subjects.map(({ id }) => {
          const own = rows.filter((row) => row.subject_id === id);
          const sum = (name: 'runs' | 'cited' | 'named' | 'linked' | 'prompts') =>
            own.reduce((total, row) => total + row[name], 0);
          return [sum('runs'), sum('cited'), sum('named'), sum('linked'), sum('prompts')];
        });
      const byTopic = await readShareRows('?by=topic');
      expect(new Set(byTopic.map(({ tag }) => tag))).toEqual(new Set(['zero', 'one', null]));
      expect(sums(byTopic)).toEqual(sums(await readShareRows('')));
      expect(await readShareRows('?tag=none')).toEqual([]);
    },
  );

  test('sources, answers and the report of a tag are those of its prompts', async () => {
    const ids = tagged.get('two') ?? new Set();
    const runsOf = async (query: string): Promise<Map<string, number>> => {
      const rows = sources.row.array().parse((await get(`sources${query}`))['sources']);
      return new Map(rows.map(({ site, runs }) => [site, runs]));
    };
    const sums = new Map<string, number>();
    for (const id of ids) {
      for (const [site, runs] of await runsOf(`?prompt_id=${id}`)) {
        sums.set(site, (sums.get(site) ?? 0) + runs);
      }
    }
    expect(sums.size).toBeGreaterThan(0);
    expect(await runsOf('?tag=TWO')).toEqual(sums);
    const { answers: found } = await get('answers?tag=TWO&limit=50');
    const rows = answers.row.array().length(50).parse(found);
    for (const { prompt_id: id } of rows) expect(ids).toContain(id);
    const [brand] = await readShareRows('?tag=two&surface=app');
    const { report: ofTag } = await get('report?tag=TWO');
    expect(report.row.parse(ofTag).surfaces[0]).toMatchObject({
      runs: brand?.runs,
      cited: brand?.cited,
    });
    for (const path of ['sources', 'answers']) {
      expect(Object.values(await get(`${path}?tag=none`))).toEqual([[]]);
    }
    expect(await get('report?tag=none')).toMatchObject({ report: { subjects: [] } });
  });
});

/** Gives every third prompt a topic, and every second one a tag. Some have both, others none. */
async function tagSomePrompts(store: Store, workspaceId: string) {
  const ids = [...new Set(known.map(({ truth }) => truth.prompt_id))].toSorted();
  const every = (step: number, first: number) =>
    new Set(ids.filter((_, place) => place % step === first));
  const [zero, one, two] = [every(3, 0), every(3, 1), every(2, 0)];
  for (const [tag, prompts] of Object.entries({ zero, one })) {
    await tagPrompts(store, workspaceId, { ids: [...prompts], tag, isTopic: true });
  }
  await tagPrompts(store, workspaceId, { ids: [...two], tag: 'two' });
  const all = zero.union(one).union(two);
  return new Map([
    ['zero', zero],
    ['one', one],
    ['two', two],
    [null, new Set(ids).difference(all)],
  ] as const);
}
