import { expect, test } from 'vitest';
import { aWorkspace, importRows, now } from '../../test/answers/answers.ts';
import { eachStore } from '../../test/stores/stores.ts';
import { deriveActions } from '../answers/actions/derive.ts';
import { readGapList } from '../answers/actions/gap-list.ts';
import { listGaps } from '../storage/gaps.ts';
import { listActions } from '../storage/queries/list-actions.ts';
import type { Store } from '../storage/store.ts';
import { setOutsideMarket, tagPrompts } from '../workspaces/tags.ts';
import { readOverviewPage } from './overview-page.ts';
import { readPortfolioRow } from './portfolio-row.ts';
import { readPeriodReport } from './period-report.ts';
import { readReport } from './report.ts';
import { readTopics } from './topics.ts';

const period = { from: '2026-10-24', to: '2026-11-20' };
const answers = { Tents: 'Globex.', Boots: 'Acme.', Kayaks: 'Initech and Globex.' };

/** A workspace with three topics of three prompts. The answers of a topic cite one page. */
async function threeTopics(store: Store) {
  const workspaceId = await aWorkspace(store);
  const rows = Object.entries(answers).flatMap(([topic, answer]) =>
    Array.from({ length: 18 }, (_, index) => ({
      prompt: `${topic} for ${['me', 'you', 'us'][index % 3]}?`,
      engine: 'chatgpt',
      run_at: `2026-11-19T${String(index).padStart(2, '0')}:00:00Z`,
      answer,
      sources: [`https://lists.example/${topic}`],
    })),
  );
  await importRows(store, workspaceId, rows);
  const prompts = await store.reader
    .selectFrom('prompts')
    .select(['id', 'text'])
    .where('workspace_id', '=', workspaceId)
    .execute();
  const idsOf = (topic: string) =>
    prompts.filter(({ text }) => text.startsWith(topic)).map(({ id }) => id);
  for (const topic of Object.keys(answers)) {
    await tagPrompts(store, workspaceId, { ids: idsOf(topic), tag: topic, isTopic: true });
  }
  await deriveActions(store, { workspaceId, clock: () => now });
  return { workspaceId, source: { db: store.reader, workspaceId }, idsOf };
}

eachStore('topics in the report', (open) => {
  test(
    'the report lists lost topics first, and leaves out those outside of the market with their prompts',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId, source } = await threeTopics(store);
      const read = async () => {
        const { topics, lost } = await readReport(source, period);
        return {
          topics: topics.map((row) => [row.topic, row.prompts, row.cited, row.leader, row.is_lost]),
          lost: lost.length,
        };
      };
      const before = await read();
      expect(before).toEqual({
        topics: [
          ['Kayaks', 3, 0, 'Globex', true],
          ['Tents', 3, 0, 'Globex', true],
          ['Boots', 3, 18, null, false],
        ],
        lost: 6,
      });
      await setOutsideMarket(store, workspaceId, { tag: 'Kayaks', isOutside: true });
      expect(await read()).toEqual({ topics: before.topics.slice(1), lost: 3 });
    },
  );

  test(
    'with a tag, only topics of prompts with that tag are listed, with as many prompts',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId, source, idsOf } = await threeTopics(store);
      const ids = [...idsOf('Tents'), ...idsOf('Boots').slice(1)];
      await tagPrompts(store, workspaceId, { ids, tag: 'Autumn' });
      const query = { ...period, excludesCompetitorPrompts: false, tag: 'autumn' };
      const listed = [
        (await readTopics(source, query)).topics,
        (await readPeriodReport(source, { ...period, tag: 'autumn' })).topics,
      ];
      for (const topics of listed) {
        expect(topics.map((row) => [row.topic, row.prompts, row.brand?.runs])).toEqual([
          ['Tents', 3, 18],
          ['Boots', 2, 12],
        ]);
      }
    },
  );

  test(
    'the report groups open gaps by topic, and those outside of the market come last',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId, source } = await threeTopics(store);
      await setOutsideMarket(store, workspaceId, { tag: 'Kayaks', isOutside: true });
      const { gap_topics: groups } = await readReport(source, period);
      expect(
        groups.map((row) => [row.topic, row.gaps, row.prompts, row.is_outside_market]),
      ).toEqual([
        ['Tents', 4, 3, false],
        ['Kayaks', 4, 3, true],
      ]);
      const actions = await listActions(store.reader, workspaceId, { status: 'open' });
      expect(groups.flatMap((row) => row.actions).toSorted()).toEqual(
        actions.map(({ id }) => id).toSorted(),
      );
      const best = actions.find(({ id }) => id === groups[0]?.actions[0]);
      expect(groups[0]).toMatchObject({
        impact_score: best?.impact_score,
        step: expect.stringMatching(/^Open lists.example.Tents, /),
      });
      const ofTents = await readReport(source, { ...period, tag: 'tents' });
      expect(ofTents.gap_topics.map(({ topic }) => topic)).toEqual(['Tents']);
    },
  );

  test(
    'gaps of prompts and pages outside of the market are left out wherever gaps are counted or listed',
    { tags: ['once'] },
    async () => {
      const { store } = await open();
      const { workspaceId, source, idsOf } = await threeTopics(store);
      const other = await threeTopics(store);
      const countsOf = async (from: typeof source) => {
        const { gaps: listed, totals, outsideMarket } = await readGapList(from, { rowsMax: 99 });
        const days = { ...period, today: period.to, excludesCompetitorPrompts: false };
        const shown = [
          (await listGaps(from, { status: 'open' })).length,
          (await readPortfolioRow(from, period)).gaps.open,
          (await readOverviewPage(from, days)).gaps.open,
          listed.length,
          totals.open,
        ];
        const { gaps } = await readReport(from, period);
        return { shown: new Set(shown), reported: gaps.length, outsideMarket };
      };
      const all = { shown: new Set([8]), reported: 3, outsideMarket: 0 };
      expect(await countsOf(source)).toEqual(all);
      const pages = (await listGaps(source, { tag: 'kayaks' })).filter(
        ({ kind }) => kind === 'source page',
      );
      expect(pages.map(({ prompt_id: id }) => id)).toEqual([null]);
      const tagged = await readReport(source, { ...period, tag: 'kayaks' });
      expect(tagged.gaps.map(({ recommendation }) => recommendation)).toContain(
        pages[0]?.recommendation,
      );
      // Only a topic decides, not a plain tag.
      await tagPrompts(store, workspaceId, { ids: idsOf('Tents'), tag: 'Kayaks' });
      await setOutsideMarket(store, workspaceId, { tag: 'Kayaks', isOutside: true });
      expect(await countsOf(source)).toEqual({
        shown: new Set([4]),
        reported: 3,
        outsideMarket: 4,
      });
      await setOutsideMarket(store, workspaceId, { tag: 'Tents', isOutside: true });
      expect(await countsOf(source)).toEqual({
        shown: new Set([0]),
        reported: 0,
        outsideMarket: 8,
      });
      expect(await countsOf(other.source)).toEqual(all);
    },
  );
});
